// Wide, narrow, dark and embedded: nothing overflows, and the accessibility rules hold.
import assert from "node:assert/strict";
import AxeBuilder from "@axe-core/playwright";
import { state } from "../support/lab.mjs";

const VIEWS = {
  wide: ["/", { width: 1440, height: 900 }, "light"],
  dark: ["/", { width: 1440, height: 900 }, "dark"],
  medium: ["/", { width: 900, height: 900 }, "light"],
  narrow: ["/", { width: 360, height: 780 }, "light"],
  "narrow-dark": ["/", { width: 360, height: 780 }, "dark"],
  embed: ["/?embed=1", { width: 640, height: 480 }, "light"],
  "embed-narrow": ["/?embed=1", { width: 340, height: 480 }, "dark"],
};

export default async function ({ open, shot }) {
  for (const [name, [address, viewport, colorScheme]] of Object.entries(VIEWS)) {
    const page = await open(address, { viewport, colorScheme, reducedMotion: "reduce" });
    await state(page, ({ done, total }) => done === total);
    await page.locator("svg.chart, .chart svg").first().waitFor();
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(wider <= 0, `${name} is ${wider} px too wide`);
    await shot(page, name);
    if (name.startsWith("narrow")) await shares(page);
    const { violations } = await new AxeBuilder({ page }).analyze();
    const words = violations.map(({ id, help, nodes }) => `${id}: ${help} (${nodes.map((n) => n.target).join("; ")})`);
    assert.deepEqual(words, [], name);
  }
}

/// The dialog shows its buttons without being scrolled sideways.
async function shares(page) {
  await page.getByRole("button", { name: /share/i }).first().click();
  const dialog = page.locator("dialog.share");
  await dialog.getByRole("button", { name: "SVG" }).first().waitFor();
  const wider = await dialog.evaluate((own) => own.scrollWidth - own.clientWidth);
  assert.ok(wider <= 0, `the dialog's content is ${wider} px too wide`);
  await dialog.getByRole("button", { name: "Close" }).click();
}
