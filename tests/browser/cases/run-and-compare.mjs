// The page and the command line give the same bytes, for any number of workers.
import assert from "node:assert/strict";
import { ask, commandLine, finish } from "../support/lab.mjs";

const STUDIES = [
  "topology=dragonfly,p=2,a=4,h=2 traffic=uniform traffic=bit_complement load=0.1..0.9:5 seeds=2",
  "topology=xgft,m=4.4.4,w=1.4.4 routing=d_mod_k traffic=shift,by=1/5/17 load=0.5/1 placement=random",
  "topology=dragonfly,p=2,a=4,h=2,groups=5 load=auto:4 seed=18446744073709551615 x=load",
];

export default async function ({ open }) {
  for (const text of STUDIES) {
    const expected = await commandLine(text);
    for (const cores of [2, 9]) {
      const page = await open("/", { cores });
      const set = await ask(page, "set-state", { text });
      assert.deepEqual(set.problems, []);
      await ask(page, "run");
      assert.deepEqual(await finish(page), expected, `${text} on ${cores} cores`);
    }
  }
}
