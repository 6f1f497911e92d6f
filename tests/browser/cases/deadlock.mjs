// A run that deadlocks: named in words, its circle of packets drawn on the fabric.
import assert from "node:assert/strict";
import AxeBuilder from "@axe-core/playwright";
import { commandLine, finish, state } from "../support/lab.mjs";

const TEXT = "topology=torus,widths=5,p=1 traffic=shift,by=2 load=1 routing=min_hop";

export default async function ({ open, shot }) {
  const page = await open(`/?v=1&${TEXT.replaceAll(" ", "&")}&run=auto`);
  const lines = await finish(page);
  assert.deepEqual(lines, await commandLine(TEXT));
  const { deadlock, deadlock_packets: packets } = JSON.parse(lines[0]).metrics;
  assert.equal(packets.length, deadlock.length);
  packets.forEach((packet, index) => {
    assert.deepEqual(packet.needs, packets[(index + 1) % packets.length].holds);
  });

  // In words: the headline, and every packet of the circle.
  await page.getByRole("heading", { name: /deadlocks/ }).waitFor();
  const why = await page.locator(".why").innerText();
  assert.match(why, /these wait for one another/);
  for (const { holds, needs } of packets) {
    assert.ok(why.includes(`${holds.from} to ${holds.to}, waits for`), why);
    assert.ok(why.includes(`of ${needs.from} to ${needs.to}`), why);
  }

  // On the fabric, without being asked for; a button takes it away and brings it back.
  await page.locator(".fabric-view").scrollIntoViewIfNeeded();
  const traced = page.locator(".fabric-view .traced");
  await traced.waitFor({ state: "attached" });
  await page.getByText(`${packets.length} packets wait for one another`).waitFor();
  const button = page.getByRole("button", { name: "Show the circle" });
  assert.equal(await button.getAttribute("aria-pressed"), "true");
  await shot(page, "circle");
  const { violations } = await new AxeBuilder({ page }).include(".routes-section").analyze();
  assert.deepEqual(violations.map(({ id, nodes }) => `${id} ${nodes.map((n) => n.html)}`), []);
  await button.click();
  await traced.waitFor({ state: "detached" });
  await button.click();
  await traced.waitFor({ state: "attached" });

  // An exchange of worms on a ring with one virtual channel.
  const worms =
    "topology=torus,widths=6,p=1 routing=dimension_order virtual_channels=1 exchange=all_to_all,acks=no " +
    "bytes=64KiB buffer=512B,per=vc output_buffer=512B switching=wormhole";
  const exchange = await open(`/?v=1&${worms.replaceAll(" ", "&")}&run=auto`);
  assert.deepEqual(await finish(exchange), await commandLine(worms));
  await exchange.locator(".fabric-view").scrollIntoViewIfNeeded();
  await exchange.locator(".fabric-view .traced").waitFor({ state: "attached" });

  // Another study has none of it.
  const other = await open("/?v=1&topology=torus,widths=5,p=1&traffic=shift,by=2&load=0.1&routing=min_hop&run=auto");
  await finish(other);
  await state(other, ({ running }) => !running);
  assert.equal(await other.locator(".circle").innerText(), "");
  assert.equal(await other.locator(".fabric-view .traced").count(), 0);
}
