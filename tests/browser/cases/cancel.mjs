// A run shows progress and stops when told to, by button and by Escape; then it can run again. So does an
// exchange of 67 million messages.
import assert from "node:assert/strict";
import { ask, finish, state } from "../support/lab.mjs";

const LARGE = "topology=xgft,m=16.16.32,w=1.16.16 routing=d_mod_k exchange=all_to_all bytes=8KiB packet=2KiB";
const ENDLESS = "topology=dragonfly,p=4,a=8,h=4 load=0.9 window=100000us warmup=0ns";

export default async function ({ open, shot }) {
  const page = await open("/");
  await ask(page, "set-state", { text: ENDLESS });
  const button = page.getByRole("button", { name: /^Run/ }).first();
  await button.click();
  const cancel = page.getByRole("button", { name: /^Cancel/ }).first();
  await cancel.waitFor();
  await page.waitForTimeout(1500);
  await shot(page, "running");
  await cancel.click();
  await state(page, ({ running }) => !running, 10);
  await page.keyboard.press("Control+Enter");
  await state(page, ({ running }) => running, 10);
  await page.keyboard.press("Escape");
  const stopped = await state(page, ({ running }) => !running, 10);
  assert.equal(stopped.done, 0);
  await ask(page, "set-state", { text: LARGE });
  await ask(page, "run");
  const shown = () => parseFloat(document.querySelector(".progress.active > div")?.style.width ?? "0") > 0;
  await page.waitForFunction(shown, null, { timeout: 60_000 });
  await shot(page, "exchanging");
  // A click within half a second of the start is taken for one that was meant to start.
  await page.waitForTimeout(1000);
  await cancel.click();
  const left = await state(page, ({ running }) => !running, 10);
  assert.equal(left.done, 0);
  await ask(page, "set-state", { text: "topology=dragonfly,p=2,a=4,h=2 load=0.5" });
  await ask(page, "run");
  assert.equal((await finish(page)).length, 1);
}
