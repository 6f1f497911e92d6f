// How fast the page simulates: `node bench.mjs DIST`, with the same runs as the native benchmark
// (`cargo bench -p dragontree`). Prints millions of switches crossed per second, three times; the
// first time includes the browser's compiling of the worker.
import { resolve } from "node:path";
import { chromium } from "playwright-core";
import { serve } from "./support/server.mjs";
import { ask, state } from "./support/lab.mjs";

const TEXT =
  "warmup=2us window=4us case=dragonfly load=0.3/0.9 case=complement traffic=bit_complement load=0.5 " +
  "case=tree topology=xgft,m=12.12.12,w=1.12.12 routing=d_mod_k load=0.9";

const site = await serve({ folder: resolve(process.argv[2] ?? "../../dist") });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic"],
});
const page = await browser.newPage();
await page.addInitScript(() => {
  Object.defineProperty(navigator, "hardwareConcurrency", { get: () => 2 });
});
await page.goto(site.origin);
await ask(page, "set-state", { text: TEXT });
for (let round = 0; round < 3; round += 1) {
  await ask(page, "run");
  await state(page, ({ running, done, total }) => !running && done === total, 120);
  const { results } = await ask(page, "get-results");
  const records = results.trim().split("\n").map((line) => JSON.parse(line));
  const rates = records.map(({ series, x, metrics, seconds }) =>
    `${series} ${x}: ${(metrics.packet_hops / seconds / 1e6).toFixed(2)}`);
  console.log(rates.join("   "));
}
await browser.close();
site.close();
