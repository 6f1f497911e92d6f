// Another model of a switch than the default is a setting of the form; it runs in the complete worker,
// with the results of the command line, and a buffer that is too small is told with its numbers.
import assert from "node:assert/strict";
import { ask, commandLine, finish } from "../support/lab.mjs";

const STUDY =
  "topology=dragonfly,p=2,a=4,h=2 switch=fifo_inputs switching=cut_through switching=wormhole " +
  "packet=512B buffer=1KiB,per=vc load=0.3 warmup=2us window=20us";

export default async function ({ open }) {
  const page = await open("/");
  const loaded = [];
  page.context().on("request", (request) => loaded.push(request.url()));
  await ask(page, "set-state", { text: STUDY });
  await ask(page, "run");
  assert.deepEqual(await finish(page), await commandLine(STUDY));
  assert.ok(loaded.some((address) => address.includes("/worker_bg.wasm")), loaded.join(" "));
  await page.getByText("takes 1KiB in whole packets").first().waitFor();
  const model = page.locator("select").filter({ hasText: "FIFO inputs" }).first();
  assert.equal(await model.inputValue(), "fifo_inputs");
}
