// The built page works from any folder of any static host.
import assert from "node:assert/strict";
import { serve } from "../support/server.mjs";
import { ask, finish } from "../support/lab.mjs";

export default async function ({ open, folder }) {
  const deep = await serve({ folder, prefix: "/courses/networks/lab/" });
  try {
    const page = await open(`${deep.origin}/courses/networks/lab/?v=1&topology=dragonfly,p=2,a=4,h=2&load=0.5`);
    await ask(page, "run");
    assert.equal((await finish(page)).length, 1);
  } finally {
    deep.close();
  }
}
