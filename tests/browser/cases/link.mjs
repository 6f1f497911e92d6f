// A link opened by somebody else gives the same numbers, and says so.
import assert from "node:assert/strict";
import { ask, finish, state } from "../support/lab.mjs";

export default async function ({ open, shot }) {
  const page = await open("/");
  const text = "topology=dragonfly,p=2,a=4,h=2 traffic=shift,by=9 load=0.2..1:5 seed=7";
  await ask(page, "set-state", { text });
  await ask(page, "run");
  const first = await finish(page);
  const { link } = await ask(page, "get-state");
  assert.match(link, /[?&]e=\d+&d=[0-9a-f]{16}$/);
  assert.ok(link.length < 300, link);
  const other = await open(link);
  // It runs by itself; a click could come when that is on its way, and stop it.
  assert.deepEqual(await finish(other), first);
  await other.getByText(/reproduced/i).first().waitFor();
  await shot(other, "reproduced");

  const forged = await open(link.replace(/d=[0-9a-f]{16}/, "d=0123456789abcdef"));
  await ask(forged, "run");
  await finish(forged);
  await forged.getByText(/numbers differ/i).first().waitFor();

  const fragment = await open(link.replace("?", "#"));
  assert.equal((await state(fragment)).text, (await state(other)).text);

  await page.goBack().catch(() => {});
}
