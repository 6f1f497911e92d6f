// How fast the page finds optimal routes: `DRAGONTREE=… node bench_solver.mjs DIST`. Prints the seconds
// of the command line on one processor and of a worker alone, by turns, then of workers on all
// processors: all phases of an exchange, and a single large one, each with a count of its contention.
// The first time of a page includes the browser's compiling of the worker.
import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { chromium } from "playwright-core";
import { serve } from "./support/server.mjs";
import { ask, state } from "./support/lab.mjs";

const WORK = {
  "512 phases of 512": "topology=xgft,m=8.8.4.2,w=1.8.8.2 exchange=all_to_all,order=opt",
  "1024 phases of 1024": "topology=xgft,m=16.8.4.2,w=1.16.8.2 exchange=all_to_all,order=opt",
  "a phase of 8192": "topology=xgft,m=8.8.8.8.2,w=1.8.8.8.4 traffic=bit_reversal",
};
const ROUNDS = 2;

const seconds = (lines) => JSON.parse(lines.trim().split("\n")[0]).seconds;
const program = process.env.DRAGONTREE ?? "dragontree";
const native = (text) =>
  seconds(execFileSync(program, ["run", text, "--json", "--jobs", "1"], { encoding: "utf8" }));

const site = await serve({ folder: resolve(process.argv[2] ?? "../../dist") });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic"],
});

/// A page whose browser says that there are so many processors; null: as many as there are.
async function laboratory(processors) {
  const page = await browser.newPage();
  if (processors !== null) {
    await page.addInitScript((count) => {
      Object.defineProperty(navigator, "hardwareConcurrency", { get: () => count });
    }, processors);
  }
  await page.goto(site.origin);
  return async (text) => {
    await ask(page, "set-state", { text });
    const began = performance.now();
    await ask(page, "run");
    await state(page, ({ running, done, total }) => !running && total > 0 && done === total, 600);
    return (performance.now() - began) / 1000;
  };
}

const [alone, together] = [await laboratory(1), await laboratory(null)];
for (const [name, text] of Object.entries(WORK)) {
  const times = { "command line": [], "one worker": [], "all workers": [] };
  for (let round = 1; round <= ROUNDS; round += 1) {
    // Another seed of the search, so that nothing found before serves again.
    const asked = `${text} routing=pattern_specific,seed=${round} y=contention`;
    times["command line"].push(native(asked));
    times["one worker"].push(await alone(asked));
    times["all workers"].push(await together(asked));
  }
  const rows = Object.entries(times).map(([who, all]) =>
    `  ${who}: ${all.map((each) => each.toFixed(3)).join("  ")} s`);
  console.log([name, ...rows].join("\n"));
}
await browser.close();
site.close();
