// A file that takes long shows how far it is and is left when the reader stops it; a file that cannot be
// written is refused in one sentence, in the dialog in which it was asked for.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import AxeBuilder from "@axe-core/playwright";
import { ask, state } from "../support/lab.mjs";

const LARGE =
  "topology=xgft,m=8.8.8.2,w=1.8.8.4 routing=pattern_specific exchange=all_to_all,order=opt bytes=64B y=contention";
const SMALL = "topology=xgft,m=4.4,w=1.4 routing=d_mod_k load=0.5";

export default async function ({ open, shot }) {
  const page = await open("/?run=never");
  await state(page);
  const files = [];
  page.on("download", (download) => files.push(download));
  const dialog = page.locator("dialog.share");
  const share = async (text) => {
    if (await dialog.isVisible()) await page.keyboard.press("Escape");
    const { problems } = await ask(page, "set-state", { text });
    assert.deepEqual(problems, []);
    await page.getByRole("button", { name: "Share" }).click();
  };

  // The paths of 1,047,552 pairs: they are written without the dialog, too.
  const begin = async () => {
    await share(LARGE);
    await dialog.getByRole("button", { name: "Paths (CSV)" }).click();
    const begun = () => parseFloat(document.querySelector("dialog .writing .progress > div")?.style.width ?? "0") > 0;
    await page.waitForFunction(begun, null, { timeout: 60_000 });
  };
  const over = () => page.locator(".writing").first().waitFor({ state: "detached" });
  await begin();
  await page.keyboard.press("Escape");
  await page.getByRole("progressbar", { name: "Writing" }).waitFor();
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await over();
  await page.waitForTimeout(2000);
  assert.equal(await page.locator(".notice").count(), 0);
  assert.deepEqual(files, []);
  await begin();
  await shot(page, "writing");
  await dialog.getByRole("button", { name: "Stop", exact: true }).click();
  await over();

  // Nothing of that is in the way of the next file.
  await share(SMALL);
  await dialog.getByRole("button", { name: "LFTs" }).click();
  while (files.length < 1) await page.waitForEvent("download");
  assert.equal(files[0].suggestedFilename(), "dragontree-lfts.dump");
  assert.match(await readFile(await files[0].path(), "utf8"), /^Unicast lids/);
  await over();

  await share(SMALL.replace("d_mod_k", "valiant"));
  await dialog.getByRole("button", { name: "LFTs" }).click();
  await dialog.locator(".notice", { hasText: /routing: “valiant” was given; .*no forwarding tables can hold them/ }).waitFor();
  await shot(page, "refused");
  assert.equal(await page.locator(".writing").count(), 0);
  assert.equal(files.length, 1);
  const { violations } = await new AxeBuilder({ page }).include("dialog .notices").analyze();
  assert.deepEqual(violations.map(({ id, nodes }) => `${id} ${nodes.map((n) => n.html)}`), []);

  // The page's first results as a table, a line for each.
  await page.goto(new URL("/", page.url()).href);
  const { total } = await state(page, ({ done }) => done > 0);
  await page.getByRole("button", { name: "Share" }).click();
  await dialog.getByRole("button", { name: "CSV", exact: true }).first().click();
  while (files.length < 2) await page.waitForEvent("download");
  assert.equal(files[1].suggestedFilename(), "dragontree.csv");
  const [header, ...lines] = (await readFile(await files[1].path(), "utf8")).trim().split("\n");
  assert.match(header, /^series,x,seed,.*accepted,/);
  assert.equal(lines.length, total);
  await over();
}
