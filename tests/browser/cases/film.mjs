// A run over time: filmed in a worker, drawn, told, and shown link by link in the fabric.
import assert from "node:assert/strict";
import AxeBuilder from "@axe-core/playwright";
import { commandLine, state } from "../support/lab.mjs";

const TEXT = "topology=dragonfly,p=2,a=4,h=2 load=0.3/0.8";
const percent = (share) => `${Number((share * 100).toPrecision(3))} %`;

async function watched(open, text, options) {
  const page = await open(`/?v=1&${text.replaceAll(" ", "&")}&run=never`, options);
  await state(page);
  await page.getByText("One run over time").click();
  await page.getByRole("button", { name: "Simulate and film the selected run" }).click();
  await page.locator(".player:not([hidden])").waitFor();
  return page;
}

export default async function ({ open, shot }) {
  const page = await watched(open, TEXT);
  const course = page.locator(".course");

  // The film is of the very run that the command line simulates: its last point.
  const [, last] = (await commandLine(TEXT)).map((line) => JSON.parse(line).metrics);
  const words = await course.locator("p").innerText();
  assert.ok(words.startsWith(`At 80 % offered load ${percent(last.accepted)} is accepted`), words);
  for (const label of ["Accepted throughput over time", "Packets over time", "Latencies of"]) {
    await course.locator(`svg[aria-label^="${label}"]`).waitFor();
  }

  // At first the fabric shows the mean of the window, then the picture that is chosen.
  const key = page.locator(".load-key");
  await key.getByText("Busy on average").waitFor();
  await shot(page, "mean");
  const slider = page.getByRole("slider", { name: "Time in the run" });
  await slider.focus();
  await slider.press("Home");
  await key.getByText(/Busy at \d/).waitFor();
  assert.equal(await course.locator(".now").first().isVisible(), true);
  const play = page.getByRole("button", { name: "Play" });
  await play.click();
  await page.getByRole("button", { name: "Pause" }).click();
  const stopped = await page.locator(".player output").innerText();
  await page.waitForTimeout(300);
  assert.equal(await page.locator(".player output").innerText(), stopped);
  await page.getByRole("button", { name: "Color the fabric by the film" }).click();
  await key.getByText(/At .* load/).waitFor();
  const { violations } = await new AxeBuilder({ page }).include(".routes-section").analyze();
  assert.deepEqual(violations.map(({ id, nodes }) => `${id} ${nodes.map((n) => n.html)}`), []);

  const narrow = await watched(open, "topology=torus,widths=4.4,p=2 routing=dimension_order load=0.9", {
    viewport: { width: 360, height: 780 },
    colorScheme: "dark",
  });
  const wider = await narrow.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(wider <= 0, `${wider} px too wide`);
  await shot(narrow, "narrow");
}
