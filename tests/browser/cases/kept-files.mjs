// An opened fabric says what tree it is; its file stays in the browser, so that a reload and a link
// open it, until the reader has it forgotten. Where there is no storage the page asks for the file.
import assert from "node:assert/strict";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { state } from "../support/lab.mjs";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../../..");
const fabric = (name) => path.join(root, "tests/fabrics/opensm", `${name}.ibnetdiscover`);

export default async function ({ open, shot }) {
  const page = await open("/?v=1&load=0.2&run=never");
  await state(page);
  const input = page.locator("input[type=file]").first();

  // 51 of the 64 endpoints of a tree with three levels.
  await input.setInputFiles(fabric("k4n3-partial"));
  const found = await state(page, ({ text }) => text.includes("topology=imported"));
  assert.match(found.text, /data=file\.[0-9a-f]{16}/);
  const tree = page.locator("details.tree");
  await tree.getByText(/A fat tree, m=4\.4\.4 w=1\.4\.4 p=1\.1\.1, with \d+ deviations?/).waitFor();
  await tree.locator("summary").click();
  await tree.getByText(/of 4 endpoints/).first().waitFor();
  await shot(page, "tree");
  await page.getByText(/kept in this browser only, up to 100 MB/).waitFor();

  await page.waitForURL(/data=file/);
  await page.reload();
  await tree.waitFor();
  const [data] = found.text.match(/data=file\.[0-9a-f]{16}/);
  await state(page, ({ text }) => text.includes(data));

  await page.getByRole("button", { name: "Forget them" }).click();
  await page.getByText(/kept in this browser/).waitFor({ state: "detached" });
  await page.reload();
  await page.getByText(/needs the file with the digest/).first().waitFor();
  await input.setInputFiles(fabric("k4n3-partial"));
  await tree.waitFor();

  await page.addInitScript(() => {
    Object.defineProperty(window, "caches", { get: () => { throw new DOMException("no", "SecurityError"); } });
  });
  await page.reload();
  await page.getByText(/needs the file with the digest/).first().waitFor();
  await input.setInputFiles(fabric("k4n3-partial"));
  await tree.waitFor();
  assert.equal(await page.getByText(/kept in this browser/).count(), 0);

  // What is no tree says why, and a broken tree what is missing.
  await input.setInputFiles(fabric("ring5"));
  await page.locator("p.tree").getByText(/^No fat tree: /).waitFor();
  const broken = await open("/?v=1&topology=xgft,m=4.4,w=1.4&faults=list,link=0-5&run=never");
  await broken.locator("details.tree").getByText(/with 1 deviation/).waitFor();

  // Where nothing is sent there is nothing to set for it.
  const numbers = await open("/?v=1&topology=torus,widths=4.4&y=bisection&run=never");
  await state(numbers);
  assert.equal(await numbers.locator(".field-load").isVisible(), false);
  assert.equal(await numbers.locator(".field-topology").isVisible(), true);
}
