// What switches send, weights of virtual channels and messages at regular times are settings of the form,
// with the results of the command line.
import assert from "node:assert/strict";
import { ask, commandLine, finish } from "../support/lab.mjs";

const STUDY =
  "topology=xgft,m=4.4,w=1.2 routing=sftree management=0.5,vc=own,bandwidth=50Gbps " +
  "arbitration=weights,high=0.4,low=4.12,limit=1 injection=periodic,packets=4 load=0.3/0.9 " +
  "warmup=5us window=20us";

export default async function ({ open, shot }) {
  const page = await open("/");
  await ask(page, "set-state", { text: STUDY });
  await ask(page, "run");
  const lines = await finish(page);
  assert.deepEqual(lines, await commandLine(STUDY));
  // Half of port 0's rate, which is half of a link's.
  const { management } = JSON.parse(lines[0]).metrics;
  assert.ok(Math.abs(management.accepted - 0.25) < 0.02, lines[0]);
  await page.getByText("Links, switches, buffers, statistics").click();
  const value = (name) => page.getByLabel(name, { exact: true }).first().inputValue();
  assert.equal(await value("Arbitration"), "weights");
  await shot(page, "form", { fullPage: true });
}
