// The bound of a large network takes long: the fabric and its numbers do not wait for it.
import assert from "node:assert/strict";

export default async function ({ open, shot }) {
  const study = "v=1&topology=fat_tree,radix=64,levels=3&routing=d_mod_k&load=0.1&run=never";
  const page = await open(`/?${study}`, { cores: 2 });
  const fact = (name) => page.locator(".facts div", { has: page.getByText(name) }).locator("dd");
  const known = { timeout: 45_000 };
  await page.locator(".fabric .said", { hasText: "65,536 endpoints" }).waitFor(known);
  await page.waitForFunction(() => {
    const canvas = document.querySelector(".fabric canvas");
    if (!canvas?.width) return false;
    // Read again and again from a copy: the page's own canvas would complain of that.
    const copy = Object.assign(document.createElement("canvas"), { width: 64, height: 64 });
    const pen = copy.getContext("2d", { willReadFrequently: true });
    pen.drawImage(canvas, 0, 0, 64, 64);
    const { data } = pen.getImageData(0, 0, 64, 64);
    return data.some((value) => value > 0);
  }, null, known);
  await fact("bisection").filter({ hasText: /[0-9]/ }).waitFor(known);
  await shot(page, "facts");
  assert.equal(await page.locator("h1").innerText(), "Computing the bound…");
}
