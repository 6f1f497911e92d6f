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

  // What somebody has changed in the page is theirs: it runs.
  await ask(page, "set-state", { text: "topology=dragonfly,p=2,a=4,h=2 load=0.5" });
  await ask(page, "run");
  assert.equal((await finish(page)).length, 1);
}
