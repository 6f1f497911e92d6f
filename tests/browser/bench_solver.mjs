// How fast the page finds optimal routes: `DRAGONTREE=… node bench_solver.mjs DIST`. Prints the seconds
// that the results themselves tell, of the command line and of the page on the same one processor, by
// turns, then of the page on all processors: all phases of an exchange, and a single large one, each with
// a count of its contention. The first time of a page includes the browser's compiling of the worker and
// is left out of the medians.
import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { CHROMIUM, ON_ONE, laboratory } from "./support/laboratory.mjs";
import { serve } from "./support/server.mjs";

const WORK = {
  "512 phases of 512": "topology=xgft,m=8.8.4.2,w=1.8.8.2 exchange=all_to_all,order=opt",
  "1024 phases of 1024": "topology=xgft,m=16.8.4.2,w=1.16.8.2 exchange=all_to_all,order=opt",
  "a phase of 8192": "topology=xgft,m=8.8.8.8.2,w=1.8.8.8.4 traffic=bit_reversal",
};
const ROUNDS = 7;

const seconds = (lines) => JSON.parse(lines.trim().split("\n")[0]).seconds;
const program = process.env.DRAGONTREE ?? "dragontree";
const native = (text) => {
  const command = ["-c", "0", program, "run", text, "--json", "--jobs", "1"];
  return seconds(execFileSync("taskset", command, { encoding: "utf8" }));
};

const site = await serve({ folder: resolve(process.argv[2] ?? "../../dist") });
const [alone, together] = await Promise.all(
  [ON_ONE, CHROMIUM].map((program) => laboratory(site.origin, program)),
);
for (const [name, text] of Object.entries(WORK)) {
  const times = { "command line": [], "page, one processor": [], "page, all": [] };
  for (let round = 1; round <= ROUNDS; round += 1) {
    // Another seed of the search, so that nothing found before serves again.
    const asked = `${text} routing=pattern_specific,seed=${round} y=contention`;
    times["command line"].push(native(asked));
    times["page, one processor"].push(seconds(await alone.run(asked)));
    times["page, all"].push(seconds(await together.run(asked)));
  }
  const rows = Object.entries(times).map(([who, all]) => {
    const later = all.slice(1).sort((one, other) => one - other);
    const each = all.map((time) => time.toFixed(3)).join("  ");
    return `  ${who}: ${each} s, median of the later ${later[later.length >> 1].toFixed(3)} s`;
  });
  console.log([name, ...rows].join("\n"));
}
await Promise.all([alone.close(), together.close()]);
site.close();
