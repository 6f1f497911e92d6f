// A link with mistakes says what is wrong and keeps the rest.
import assert from "node:assert/strict";
import { state } from "../support/lab.mjs";

export default async function ({ open, shot }) {
  const query = "?v=1&topology=dragonfly,p=900&routing=minimall&traffic=shift,by=3&wobble=1&utm_source=mail";
  const page = await open(`/${query}`);
  const found = await state(page, ({ problems }) => problems.length > 0);
  const words = found.problems.join("\n");
  assert.equal(found.problems.length, 3, words);
  assert.match(words, /topology,p: “900” was given; allowed: 1 to 64/);
  assert.match(words, /routing: “minimall” was given; allowed: .*did you mean minimal\?/);
  assert.match(words, /wobble/);
  assert.match(found.text, /traffic=shift,by=3/);
  await page.getByText("minimall").first().waitFor();
  await shot(page, "wide");
  // What is found wrong with the default that stands in for it is not told besides.
  const misspelt = await open("/?v=1&topology=torus,widths=4.4&routing=dimension_ordr&load=0.5");
  await misspelt.getByText("dimension_ordr").first().waitFor();
  await misspelt.waitForTimeout(1000);
  assert.equal(await misspelt.locator("#problems li").count(), 1);
  const impossible = await open("/?v=1&topology=xgft,m=4.4,w=1&routing=d_mod_k&load=0.5");
  await impossible.getByRole("button", { name: /^Run/ }).first().waitFor();
  await impossible.getByText(/it must have 2 numbers, as many as m/).first().waitFor();
  // Only the complete worker unpacks what a link carries along.
  const damaged = await open("/?v=1&topology=imported,data=z.48.0123456789abcdef.AAAA&routing=min_hop&load=0.5");
  await damaged.getByText(/the content did not arrive whole/).first().waitFor();
}
