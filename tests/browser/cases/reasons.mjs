// Why curves end where they do, for each of several, and what a point was measured on.
import assert from "node:assert/strict";
import { finish } from "../support/lab.mjs";

const query = (text) => `/?v=1&${text.replaceAll(" ", "&")}&run=auto`;

/// What is read, with plain spaces.
const plain = (text) => text.replace(/[\u00a0\u202f]/g, " ");

/// The lines under "Why?", once all is there.
async function lines(page) {
  return plain(await page.locator(".why span").innerText()).split("\n");
}

export default async function ({ open, shot }) {
  // Eight endpoints of a group share its only link to the next: 1/(a·p).
  const shift = "topology=dragonfly,p=2,a=4,h=2 traffic=shift,by=8 load=0.05/0.6 routing=minimal routing=valiant routing=ugal";
  const page = await open(query(shift));
  const records = (await finish(page)).map((line) => JSON.parse(line));
  const why = await lines(page);
  const minimal = records.find(({ metrics }) => metrics.why?.flows === 8).metrics;
  assert.ok(why[0].startsWith(`With Minimal routing, the link from ${minimal.busiest} fills first, at 12.5 % load`), why[0]);
  assert.ok(why[0].includes("8 endpoints at full rate, all a·p of a group, share it: 1 / (a·p) = 1 / 8 = 0.125"), why[0]);
  assert.ok(why.some((line) => line.startsWith("With Valiant routing, the link from ")), why.join("\n"));
  // What adaptive routes put on a link is not computed but found.
  const { channel, why: shared } = records.findLast(({ metrics }) => metrics.measured_busiest).metrics.measured_busiest;
  const ugal = why.find((line) => line.startsWith(`With UGAL routing, the busiest link, from ${channel}, was busy `));
  assert.ok(ugal?.includes(shared.formula) && shared.largest.length > 0, why.join("\n"));
  await shot(page, "several");

  // The same link is the one that the fabric marks.
  await page.locator(".fabric-view").scrollIntoViewIfNeeded();
  await page.getByText(minimal.busiest).last().waitFor();

  // With adaptive routing it has what was measured, once that is there, and marks what was busiest.
  const adaptive = "topology=dragonfly,p=2,a=4,h=2 traffic=shift,by=8 load=0.4/0.6 routing=ugal";
  const alone = await open(query(adaptive));
  const last = (await finish(alone)).map((line) => JSON.parse(line).metrics).at(-1);
  await alone.locator(".fabric-view").scrollIntoViewIfNeeded();
  await alone.getByText("Busy at 60 % load").waitFor();
  await alone.locator(".fabric-foot").getByText(last.measured_busiest.channel).waitFor();
  const cause = (await lines(alone)).join(" ");
  assert.ok(cause.includes(last.measured_busiest.why.formula) && cause.includes(last.measured_busiest.found), cause);
  await shot(alone, "adaptive", { fullPage: true });

  // A point tells what it was measured on.
  const panel = page.locator(".panel").first();
  await panel.focus();
  await page.keyboard.press("ArrowRight");
  const read = plain(await page.locator(".readout .sampling").first().innerText());
  const of = records.map(({ metrics }) => metrics.packets.toLocaleString("en-US"));
  assert.ok(of.some((packets) => read.startsWith(`Minimal: ${packets} packets in `)), read);
  assert.match(read, /\n(after [\d.]+ .s of warm-up|from the start)\nworst source [\d.]+ %, fairness [01]\.\d{3}$/);
  await shot(page, "read");

  // One curve deadlocks; of the other its limit is told all the same.
  const torus = "topology=torus,widths=5,p=1 traffic=shift,by=2 load=1 routing=min_hop routing=lash";
  const stuck = await open(query(torus));
  const [first, second] = (await finish(stuck)).map((line) => JSON.parse(line).metrics);
  assert.ok(first.deadlock !== null && second.deadlock === null && second.why);
  const both = await lines(stuck);
  assert.equal(both.length, 2, both.join("\n"));
  assert.match(both[0], /^MinHop: Since .* these wait for one another/);
  assert.ok(both[1].startsWith(`At LASH, the link from ${second.busiest} fills first`), both[1]);

  // Exchanges, each with its own busiest channel.
  const exchange = "topology=xgft,m=4.4,w=1.2 exchange=all_to_all bytes=2KiB routing=d_mod_k routing=static_random";
  const sent = await open(query(exchange));
  const found = (await finish(sent)).map((line) => JSON.parse(line).exchange);
  assert.deepEqual(await lines(sent), [`D-mod-K: ${found[0].why}`, `Static random: ${found[1].why}`]);
}
