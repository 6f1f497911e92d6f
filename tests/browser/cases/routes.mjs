// The routes of a fabric: report, colors, the routes of a pair, all routings, files of tables.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import AxeBuilder from "@axe-core/playwright";
import { state } from "../support/lab.mjs";

const TREE = "/?v=1&topology=xgft,m=4.4,w=1.4&run=never";
const SUMMARY = "Routes: contention, connectivity, deadlock, paths";

async function unfolded(open, address, options) {
  const page = await open(address, options);
  await state(page);
  await page.getByText(SUMMARY).click();
  await page.locator(".report[aria-busy=false] .findings").waitFor();
  return page;
}

async function saved(page, act) {
  const [download] = await Promise.all([page.waitForEvent("download"), act()]);
  return readFile(await download.path(), "utf8");
}

export default async function ({ open, shot }) {
  // On a full tree no two flows of a shift share a link with d-mod-k (Zahavi 2009, Thm. 1).
  const page = await unfolded(open, `${TREE}&routing=d_mod_k`);
  await page.locator(".findings .good").getByText(/do two flows share a channel/).waitFor();
  await page.locator("svg[aria-label^='From the shift by 1 to that by 15: at most 1 flow']").waitFor();
  await page.getByRole("button", { name: "Color the fabric by flows" }).click();
  await page.locator(".load-key").getByText("Flows per link").waitFor();
  assert.equal(await page.getByRole("button", { name: "Color the fabric by flows" }).getAttribute("aria-pressed"), "true");

  // Files say the same as the page.
  const json = JSON.parse(await saved(page, () => page.getByRole("button", { name: "Report as JSON" }).click()));
  assert.deepEqual([json.endpoints, json.contention.worst, json.acyclic.endpoints], [16, 1, true]);
  const csv = await saved(page, () => page.getByRole("button", { name: "Report as CSV" }).click());
  assert.match(csv, /^section,rail,item,value\n/);

  const [from, to] = ["from", "to"].map((name) => page.locator(`input[name=${name}]`));

  // A pair by the keyboard: over a root, four channels, shown in the drawing.
  await from.fill("endpoint 0");
  await to.fill("endpoint 15");
  await to.press("Enter");
  await page.getByText("1 route from endpoint 0 to endpoint 15").waitFor();
  assert.equal(await page.locator(".paths tbody tr").count(), 5);
  await page.locator(".fabric-view .traced").waitFor({ state: "attached" });
  await to.fill("nobody");
  await to.press("Enter");
  await page.locator(".paths .wrong").getByText(/nobody/).waitFor();

  // Every routing of the catalog; one click takes it.
  await page.getByRole("button", { name: "Compare all routings" }).click();
  const row = page.locator(".comparison tr", { hasText: "MinHop" });
  await row.getByRole("button", { name: "Use it" }).waitFor();
  await page.locator(".comparison tr", { hasText: "in use" }).waitFor();
  await shot(page, "wide");
  const { violations } = await new AxeBuilder({ page }).include(".routes").analyze();
  assert.deepEqual(violations.map(({ id, nodes }) => `${id} ${nodes.map((n) => n.html)}`), []);
  await row.getByRole("button", { name: "Use it" }).click();
  await state(page, ({ text }) => text.includes("routing=min_hop"));
  await page.locator(".report[aria-busy=false] .findings").waitFor();
}
