// A first visit and a run of its study load the small worker only; the complete one comes when
// somebody is about to choose among the parts, and tells which of them do not fit.
import assert from "node:assert/strict";
import { ask, state } from "../support/lab.mjs";

const isComplete = (address) => address.includes("/worker_bg.wasm");

export default async function ({ open }) {
  const page = await open("/");
  const numbers = () =>
    page.waitForFunction(() => {
      const facts = [...document.querySelectorAll(".facts dd")].map((fact) => fact.textContent);
      return facts.length > 0 && !facts.includes("–");
    });
  await numbers();
  // Once more, now that requests are watched from the first on.
  const loaded = [];
  page.context().on("request", (request) => loaded.push(request.url()));
  await page.reload();
  await numbers();
  await ask(page, "run");
  await state(page, ({ running, done, total }) => !running && total > 0 && done === total);
  assert.ok(loaded.some((address) => address.endsWith("_bg.wasm")));
  assert.deepEqual(loaded.filter(isComplete), []);

  await page.locator("form.controls select.part").first().hover();
  await page.locator("form.controls button", { hasText: "+ add" }).first().click();
  await page.getByText("Not here:").first().waitFor();
  assert.equal(loaded.filter(isComplete).length, 1);
}
