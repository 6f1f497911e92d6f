// A first visit and a run of its study load the small worker only; the complete one comes when
// somebody is about to choose among the parts, and tells which of them do not fit.
import assert from "node:assert/strict";
import { ask, state } from "../support/lab.mjs";

const isComplete = (address) => address.includes("/worker_bg.wasm");

export default async function ({ open, site }) {
  // Somewhere else first, so that no request goes unseen.
  const page = await open("/boot.js");
  const loaded = [];
  page.context().on("request", (request) => loaded.push(request.url()));
  await page.goto(site.origin);
  await state(page, ({ done, total }) => total > 0 && done === total);
  await page.getByText("diversity").first().waitFor();
  await ask(page, "run");
  await state(page, ({ running, done, total }) => !running && done === total);
  assert.ok(loaded.some((address) => address.endsWith("_bg.wasm")));
  assert.deepEqual(loaded.filter(isComplete), []);
  const workers = page.workers();
  assert.ok(workers.length >= 1 && workers.every((worker) => worker.url().includes("worker_boot.js")));

  await page.locator("form.controls select.part").first().hover();
  await page.locator("form.controls button", { hasText: "+ add" }).first().click();
  await page.getByText("Not here:").first().waitFor();
  assert.equal(loaded.filter(isComplete).length, 1);
}
