// A fabric's file is opened with the button and becomes the topology; what is no fabric is refused
// in one sentence and changes nothing.
import assert from "node:assert/strict";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { ask, state } from "../support/lab.mjs";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../../..");

export default async function ({ open }) {
  const page = await open("/?v=1&load=0.2&run=never");
  await state(page);
  const input = page.locator("input[type=file]").first();
  await input.setInputFiles(path.join(root, "tests/fabrics/opensm/k4n2.ibnetdiscover"));
  const found = await state(page, ({ text }) => text.includes("topology=imported"));
  assert.match(found.text, /data=(z|file)\./);
  const facts = page.locator("dl.facts").first();
  await facts.getByText("16", { exact: true }).first().waitFor();

  await input.setInputFiles(path.join(root, "README.md"));
  await page.getByText(/README\.md.*expected/).first().waitFor();
  assert.equal((await ask(page, "get-state")).text, found.text);
}
