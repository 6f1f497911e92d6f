// What a page's workers hold.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { serve } from "./server.mjs";

/// Serves a built page whose worker's script is so changed that its module can be asked for its memory.
export async function telling(folder) {
  const script = await readFile(join(folder, "worker_boot.js"), "utf8");
  const told = script.replace("await start(", "globalThis.started = await start(");
  assert.notEqual(told, script);
  return serve({ folder, pages: { "/worker_boot.js": told } });
}

/// The bytes of the largest module of a page's workers.
export async function memory(page) {
  const of = () => globalThis.started?.memory.buffer.byteLength ?? 0;
  return Math.max(...(await Promise.all(page.workers().map((worker) => worker.evaluate(of)))));
}
