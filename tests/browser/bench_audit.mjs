// How fast a worker of the page audits routes: `node bench_audit.mjs DIST`. Prints the seconds from
// the question to the answer: the fabric, its routes, the contention of all shifts, connectivity and
// deadlocks. The first time includes what the worker does for a fabric only once.
import { resolve } from "node:path";
import { chromium } from "playwright-core";
import { serve } from "./support/server.mjs";
import { ask, state } from "./support/lab.mjs";

const ENGINES = ["ftree", "d_mod_k", "min_hop", "s_mod_k"];
const TREES = ["m=4.4,w=1.4", "m=12.12.24,w=1.12.12"];

// The numbers of the question and of the answer in the protocol of the worker.
const [INSPECT, INSPECTED] = [7, 7];

const site = await serve({ folder: resolve(process.argv[2] ?? "../../dist") });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic"],
});
for (const engine of ENGINES) {
  const page = await browser.newPage();
  await page.addInitScript(([INSPECT, INSPECTED]) => {
    window.audits = [];
    let began = 0;
    window.Worker = class extends Worker {
      constructor(...all) {
        super(...all);
        this.addEventListener("message", ({ data }) => {
          if (data?.[0] === INSPECTED) window.audits.push((performance.now() - began) / 1000);
        });
      }
      postMessage(message, ...rest) {
        if (message?.[0] === INSPECT) began = performance.now();
        super.postMessage(message, ...rest);
      }
    };
  }, [INSPECT, INSPECTED]);
  for (const tree of TREES) {
    const text = `topology=xgft,${tree} routing=${engine}`;
    await page.goto(`${site.origin}/?v=1&run=never&${text.replace(" ", "&")}`);
    await state(page);
    await page.getByText("Routes: contention, connectivity, deadlock, paths").click();
    const asked = async (count) => {
      await page.waitForFunction((count) => window.audits.length >= count, count, { timeout: 120_000 });
    };
    await asked(1);
    for (let round = 2; round <= 4; round += 1) {
      await ask(page, "set-state", { text: `${text} seed=${round}` });
      await asked(round).catch(() => {});
    }
    const seconds = await page.evaluate(() => window.audits);
    console.log(`${text}: ${seconds.map((each) => each.toFixed(3)).join("  ")} s`);
  }
  await page.close();
}
await browser.close();
site.close();
