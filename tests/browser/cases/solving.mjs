// Routes of messages are found by workers together, and are those of the command line.
import assert from "node:assert/strict";
import { ask, commandLine, finish, state } from "../support/lab.mjs";

const TEXT =
  "topology=xgft,m=8.8.8,w=1.8.8 routing=pattern_specific exchange=all_to_all,order=opt bytes=64B y=contention";

export default async function ({ open }) {
  const expected = await commandLine(TEXT);
  const page = await open("/?run=never");
  await state(page);
  // Helpers of a worker end when the routes are found; the page's own workers stay.
  let ended = 0;
  page.on("worker", (worker) => worker.on("close", () => (ended += 1)));
  const { problems } = await ask(page, "set-state", { text: TEXT });
  assert.deepEqual(problems, []);
  await ask(page, "run");
  assert.deepEqual(await finish(page), expected);
  const processors = await page.evaluate(() => navigator.hardwareConcurrency);
  assert.ok(ended > 0 || processors < 2, "no helper was at work");
}
