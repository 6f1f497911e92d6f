// How fast the page simulates: `node bench.mjs DIST [CASE…]`, with fabrics, loads and routings of the
// native benchmark (`cargo bench -p dragontree --bench engine`). Prints millions of switches crossed
// per second of one worker, three times; the first time includes the browser's compiling of the worker.
import { resolve } from "node:path";
import { chromium } from "playwright-core";
import { serve } from "./support/server.mjs";
import { ask, state } from "./support/lab.mjs";

// Windows in which five to ten million switches are crossed.
const CASES = {
  dragonfly: "topology=dragonfly,p=4,a=8,h=4 load=0.3/0.9 window=60us",
  complement: "topology=dragonfly,p=4,a=8,h=4 traffic=bit_complement load=0.5 window=60us",
  group: "topology=dragonfly,p=4,a=8,h=4 routing=valiant,via=group load=0.15/0.45 window=60us",
  switch: "topology=dragonfly,p=4,a=8,h=4 routing=valiant,via=switch load=0.15/0.45 window=60us",
  ugal: "topology=dragonfly,p=4,a=8,h=4 routing=ugal load=0.3/0.9 window=60us",
  tree: "topology=xgft,m=12.12.12,w=1.12.12 routing=d_mod_k load=0.9 window=30us",
  dragonfly_16k: "topology=dragonfly,p=8,a=16,h=8 load=0.3/0.9 window=4us",
  ugal_16k: "topology=dragonfly,p=8,a=16,h=8 routing=ugal load=0.9 window=4us",
  dragonfly_60k: "topology=dragonfly,p=11,a=22,h=11 load=0.3/0.9 window=2us",
};
const wanted = process.argv.slice(3);
const chosen = Object.entries(CASES).filter(([name]) => wanted.length === 0 || wanted.includes(name));
const TEXT = ["warmup=2us", ...chosen.map(([name, text]) => `case=${name} ${text}`)].join(" ");

const site = await serve({ folder: resolve(process.argv[2] ?? "../../dist") });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic"],
});
const page = await browser.newPage();
await page.addInitScript(() => {
  Object.defineProperty(navigator, "hardwareConcurrency", { get: () => 1 });
});
await page.goto(site.origin);
await ask(page, "set-state", { text: TEXT });
for (let round = 0; round < 3; round += 1) {
  await ask(page, "run");
  await state(page, ({ running, done, total }) => !running && done === total, 600);
  const { results } = await ask(page, "get-results");
  const records = results.trim().split("\n").map((line) => JSON.parse(line));
  const rates = records.map(({ series, x, metrics, seconds }) =>
    `${series} ${x}: ${(metrics.packet_hops / seconds / 1e6).toFixed(2)}`);
  console.log(`${rates.join("\n")}\n`);
}
await browser.close();
site.close();
