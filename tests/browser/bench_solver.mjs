// How fast the page finds optimal routes: `DRAGONTREE=… node bench_solver.mjs DIST`. Prints the seconds
// that the results themselves tell, of the command line and of the page on the same one processor, by
// turns, then of the page on all processors: all phases of an exchange, and a single large one, each with
// a count of its contention. The first time of a page includes the browser's compiling of the worker.
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
const native = (text) => {
  const command = ["-c", "0", program, "run", text, "--json", "--jobs", "1"];
  return seconds(execFileSync("taskset", command, { encoding: "utf8" }));
};

const site = await serve({ folder: resolve(process.argv[2] ?? "../../dist") });
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
const ON_ONE = resolve(import.meta.dirname, "support/on_one_processor.sh");

/// A page of a browser of its own, started by this program.
async function laboratory(executablePath) {
  const browser = await chromium.launch({
    executablePath,
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic"],
    env: { ...process.env, CHROMIUM },
  });
  const page = await browser.newPage();
  await page.goto(site.origin);
  const run = async (text) => {
    await ask(page, "set-state", { text });
    await ask(page, "run");
    await state(page, ({ running, done, total }) => !running && total > 0 && done === total, 600);
    return seconds((await ask(page, "get-results")).results);
  };
  return { run, close: () => browser.close() };
}

const [alone, together] = [await laboratory(ON_ONE), await laboratory(CHROMIUM)];
for (const [name, text] of Object.entries(WORK)) {
  const times = { "command line": [], "page, one processor": [], "page, all": [] };
  for (let round = 1; round <= ROUNDS; round += 1) {
    // Another seed of the search, so that nothing found before serves again.
    const asked = `${text} routing=pattern_specific,seed=${round} y=contention`;
    times["command line"].push(native(asked));
    times["page, one processor"].push(await alone.run(asked));
    times["page, all"].push(await together.run(asked));
  }
  const rows = Object.entries(times).map(([who, all]) =>
    `  ${who}: ${all.map((each) => each.toFixed(3)).join("  ")} s`);
  console.log([name, ...rows].join("\n"));
}
await Promise.all([alone.close(), together.close()]);
site.close();
