// A run that an earlier study has left, or that the page brings along, stands where the study has it.
import assert from "node:assert/strict";
import { ask, commandLine, finish } from "../support/lab.mjs";

const STUDIES = [
  "load=0.5 packet=64B/128B/256B x=packet",
  "topology=dragonfly,p=2,a=4,h=2 load=0.5 x=packet packet=64B..256B:x2",
  "topology=dragonfly,p=2,a=4,h=2 load=0.1..0.5:5",
  "topology=dragonfly,p=2,a=4,h=2 routing=minimal routing=valiant load=0.5",
];

export default async function ({ open }) {
  const page = await open("/");
  for (const text of STUDIES) {
    const expected = await commandLine(text);
    await ask(page, "set-state", { text });
    await ask(page, "run");
    assert.deepEqual(await finish(page), expected, text);
  }
}
