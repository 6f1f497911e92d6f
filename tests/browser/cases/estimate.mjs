// A link to a long study is asked about before anything is simulated.
import assert from "node:assert/strict";
import { ask, finish, state } from "../support/lab.mjs";

const LONG = "topology=dragonfly,p=4,a=8,h=4 load=0.9 window=400000us warmup=0ns";

export default async function ({ open, shot }) {
  const page = await open(`/?v=1&${LONG.replaceAll(" ", "&")}&run=click`);
  await state(page);
  const question = page.getByText(/^This link asks for 1 run: about [\d.,]+ G packet-hops, about .* of a processor/);
  await page.keyboard.press("Control+Enter");
  await question.waitFor({ timeout: 60_000 });
  await shot(page, "question");
  assert.equal((await state(page)).running, false);

  // Refused, it is not run; asked for again, it is asked about again.
  await page.getByRole("button", { name: "Not now" }).click();
  await question.waitFor({ state: "detached" });
  await page.keyboard.press("Control+Enter");
  await question.waitFor({ timeout: 60_000 });
  await page.getByRole("button", { name: "Run it" }).click();
  await state(page, ({ running }) => running, 10);
  await page.keyboard.press("Escape");
  await state(page, ({ running }) => !running, 10);

  // An exchange is long by its messages, on a fabric that is not large.
  const exchange = await open("/?v=1&topology=dragonfly,p=8,a=16,h=8&exchange=all_to_all&bytes=32KiB");
  await exchange.getByText(/^This link asks for 1 run: about [\d.,]+ G packet-hops/).waitFor({ timeout: 60_000 });
  assert.equal((await state(exchange)).running, false);
  await exchange.close();

  // What somebody has changed in the page is theirs: it runs.
  await ask(page, "set-state", { text: "topology=dragonfly,p=2,a=4,h=2 load=0.5" });
  await ask(page, "run");
  assert.equal((await finish(page)).length, 1);

  // What does not fit is refused with the estimate, and the text stays: also where it is run before
  // the size of its network is known, where only a later run is large, and where another page asks.
  const LARGE = "p=24,a=36,h=18 load=1 buffer=1MB";
  const refused = async (text, run) => {
    await ask(page, "set-state", { text });
    await run();
    const refusal = page.getByText(/^This study is too large for a page, where a run may take 3 GB of memory: \d runs?: about/);
    await refusal.waitFor({ timeout: 60_000 });
    const now = await state(page);
    assert.equal(now.running, false);
    assert.match(now.text, /a=36,h=18/);
    await ask(page, "set-state", { text: "topology=dragonfly,p=2,a=4,h=2 load=0.5" });
    await refusal.waitFor({ state: "detached" });
  };
  await refused(`topology=dragonfly,${LARGE}`, () => page.keyboard.press("Control+Enter"));
  await refused(`topology=dragonfly,p=2/24,${LARGE.slice(5)}`, async () => {
    await page.getByText("46,728").first().waitFor({ timeout: 60_000 });
    await page.keyboard.press("Control+Enter");
  });
  await refused(`topology=dragonfly,${LARGE} seed=2`, () => ask(page, "run"));
  await ask(page, "set-state", { text: `topology=dragonfly,${LARGE}` });
  await page.getByText("560,736").first().waitFor({ timeout: 60_000 });
  await page.keyboard.press("Control+Enter");
  await page.getByText(/^This study is too large for a page/).waitFor({ timeout: 60_000 });
  await shot(page, "refused");
}
