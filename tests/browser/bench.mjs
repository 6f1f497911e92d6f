// How fast the page simulates: `DRAGONTREE=… node bench.mjs DIST [CASE…]`, with fabrics, loads and routings
// of the native benchmark (`cargo bench -p dragontree --bench engine`) and an exchange. Prints millions of
// switches crossed per second by one processor for the command line and by one worker of the page, by
// turns, three times each; the quotient of the best of both; and the memory of the largest of the workers'
// modules after the runs. Whatever else the browser does has another processor, if there is one. What runs
// first in a worker includes its being compiled.
import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { CHROMIUM, laboratory } from "./support/laboratory.mjs";
import { memory, telling } from "./support/memory.mjs";

// Windows so long that building the network takes little of the time; and where packets that still fill the
// network would make it count as saturated, which is looked into for as long again, it fills first.
const CASES = {
  dragonfly: "topology=dragonfly,p=4,a=8,h=4 load=0.3/0.9 window=200us",
  complement: "topology=dragonfly,p=4,a=8,h=4 traffic=bit_complement load=0.5 window=200us",
  group: "topology=dragonfly,p=4,a=8,h=4 routing=valiant,via=group load=0.15/0.45 window=200us",
  switch: "topology=dragonfly,p=4,a=8,h=4 routing=valiant,via=switch load=0.15/0.45 window=200us",
  ugal: "topology=dragonfly,p=4,a=8,h=4 routing=ugal load=0.3/0.9 window=200us",
  tree: "topology=xgft,m=12.12.12,w=1.12.12 routing=d_mod_k load=0.9 window=100us",
  exchange: "topology=xgft,m=16.8.8,w=1.16.8 routing=d_mod_k exchange=all_to_all,order=lin bytes=8KiB packet=2KiB",
  dragonfly_16k: "topology=dragonfly,p=8,a=16,h=8 load=0.3/0.9 window=20us",
  ugal_16k: "topology=dragonfly,p=8,a=16,h=8 routing=ugal load=0.3/0.9 warmup=40us window=20us",
  dragonfly_60k: "topology=dragonfly,p=11,a=22,h=11 load=0.3/0.9 window=6us",
  tree_64k: "topology=xgft,m=40.40.40,w=1.40.40 routing=d_mod_k load=0.3/0.9 window=6us",
};
const ROUNDS = 3;

const wanted = process.argv.slice(3);
const chosen = Object.entries(CASES).filter(([name]) => wanted.length === 0 || wanted.includes(name));
const program = process.env.DRAGONTREE ?? "dragontree";
const native = (text) => {
  const command = ["-c", "0", program, "run", text, "--json", "--jobs", "1"];
  return execFileSync("taskset", command, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
};

const site = await telling(resolve(process.argv[2] ?? "../../dist"));

/// Millions of switches crossed per second in each run, by its place on its axis.
function rates(lines) {
  const records = lines.trim().split("\n").map((line) => JSON.parse(line));
  return records.map(({ x, metrics, exchange, seconds }) => [x, (metrics ?? exchange).packet_hops / seconds / 1e6]);
}

/// The same experiment at one load after the other, as a page with several workers would run them at once.
function alone(text) {
  const [setting, loads] = /load=(\S+)/.exec(text) ?? ["", ""];
  return loads.split("/").map((load) => text.replace(setting, setting && `load=${load}`));
}

for (const [name, text] of chosen) {
  // Of its own, so that no other case has left its memory behind.
  const { page, run, close } = await laboratory(site.origin, CHROMIUM);
  const found = new Map();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const each of alone(text)) {
      // Another seed, so that nothing found before serves again.
      const filled = each.includes("warmup=") ? each : `warmup=2us ${each}`;
      const asked = `${filled} seed=${round + 1}`;
      for (const [who, lines] of [["command line", native(asked)], ["page", await run(asked)]]) {
        for (const [x, rate] of rates(lines)) {
          const at = found.get(x) ?? { "command line": [], page: [] };
          at[who].push(rate);
          found.set(x, at);
        }
      }
    }
  }
  for (const [x, both] of found) {
    const rows = Object.entries(both).map(([who, all]) => `  ${who}: ${all.map((each) => each.toFixed(2)).join("  ")}`);
    const share = Math.max(...both.page) / Math.max(...both["command line"]);
    console.log([`${name} ${x}`, ...rows, `  page ÷ command line: ${share.toFixed(2)}`].join("\n"));
  }
  console.log(`  memory of the page's worker: ${((await memory(page)) / 2 ** 20).toFixed(0)} MiB\n`);
  await close();
}
site.close();
