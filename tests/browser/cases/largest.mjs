// Some sixty thousand endpoints are simulated in the page, in a quarter of a gigabyte.
import assert from "node:assert/strict";
import { commandLine, finish } from "../support/lab.mjs";
import { memory, telling } from "../support/memory.mjs";

const DRAGONFLY = "topology=dragonfly,p=11,a=22,h=11 load=0.9 warmup=1us window=1us";
const TREE = "topology=xgft,m=40.40.40,w=1.40.40 routing=d_mod_k load=0.9 warmup=1us window=1us";

export default async function ({ open, folder }) {
  const site = await telling(folder);
  try {
    for (const text of [DRAGONFLY, TREE]) {
      const page = await open(`${site.origin}/?v=1&${text.replaceAll(" ", "&")}&run=auto`);
      assert.deepEqual(await finish(page), await commandLine(text));
      const held = await memory(page);
      assert.ok(held > 0 && held <= 250e6, `${text}: ${held} bytes`);
      await page.close();
    }
  } finally {
    site.close();
  }
}
