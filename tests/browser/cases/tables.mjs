// A deadlock is drawn where it is, and the tables of a file are audited on their fabric.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { state } from "../support/lab.mjs";

async function saved(page, act) {
  const [download] = await Promise.all([page.waitForEvent("download"), act()]);
  return readFile(await download.path(), "utf8");
}

export default async function ({ open, shot }) {
  // Minimal routes around a ring of five switches wait for each other.
  const ring = await open("/?v=1&topology=imported&routing=min_hop&run=never", {
    viewport: { width: 360, height: 780 },
    colorScheme: "dark",
  });
  await state(ring);
  await ring.getByText("Routes: contention, connectivity, deadlock, paths").click();
  await ring.getByRole("button", { name: "Show the cycle in the fabric" }).click();
  await ring.locator(".fabric-view .traced").waitFor({ state: "attached" });
  const wider = await ring.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(wider <= 0, `${wider} px too wide`);
  await ring.locator(".looks").scrollIntoViewIfNeeded();
  await shot(ring, "narrow-dark");

  // Tables from a file are audited on the fabric that they were made for.
  const tables = await saved(ring, async () => {
    await ring.getByRole("button", { name: "Share" }).click();
    await ring.getByRole("button", { name: "LFTs" }).click();
  });
  assert.match(tables, /^Unicast lids/);
  const audit = await open("/?v=1&topology=imported&run=never");
  await state(audit);
  const input = audit.locator("input[type=file]").first();
  await input.setInputFiles({ name: "opensm-lfts.dump", mimeType: "text/plain", buffer: Buffer.from(tables) });
  await state(audit, ({ text }) => /routing=imported,lfts=(z|file)\./.test(text));
  await audit.locator(".findings .fault, .findings .warning").first().waitFor();
  await audit.getByRole("button", { name: "Show the cycle in the fabric" }).waitFor();

  // Service levels of pairs, opened after the tables, join them.
  const levels = "# slid dlid sl\n1 2 0\n2 1 0\n";
  await input.setInputFiles({ name: "lash.sl", mimeType: "text/plain", buffer: Buffer.from(levels) });
  await state(audit, ({ text }) => /routing=imported,lfts=[^ ,]+,levels=(z|file)\./.test(text));
}
