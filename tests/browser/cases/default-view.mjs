// The page opens with a finished figure, without running anything.
import assert from "node:assert/strict";
import { ask, state } from "../support/lab.mjs";

export default async function ({ open, shot }) {
  const page = await open("/");
  const found = await state(page, ({ done, total }) => done === total && total > 0, 10);
  assert.equal(found.total, 20);
  assert.equal(found.running, false);
  assert.match(found.text, /topology=dragonfly,p=4,a=8,h=4/);
  await page.locator("svg.chart, .chart svg").first().waitFor();
  assert.equal(page.workers().filter((worker) => worker.url().includes("worker")).length <= 1, true);
  const { results } = await ask(page, "get-results");
  assert.equal(results.trim().split("\n").length, 20);
  await shot(page, "wide");
}
