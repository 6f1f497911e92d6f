// A traffic matrix from a file: traffic unless it was chosen as an exchange, which then takes as long as
// on the command line, in either order of a rank's messages.
import assert from "node:assert/strict";
import { commandLine, finish, state } from "../support/lab.mjs";

/// What each of eight ranks sends to the others, in bytes: most of them a little, the first a lot.
const ROWS = Array.from({ length: 8 }, (_, from) =>
  Array.from({ length: 8 }, (_, to) => (from === to ? 0 : 1000 * ((3 * from + to) % 4) + (from === 0 ? 20000 : 0))),
);
const FILE = {
  name: "matrix.csv",
  mimeType: "text/csv",
  buffer: Buffer.from(`# bytes\n${ROWS.map((row) => row.join(",")).join("\n")}\n`),
};
const MESSAGES = ROWS.flat().filter((bytes) => bytes > 0).length;

export default async function ({ open, shot }) {
  const page = await open("/?v=1&topology=xgft,m=4.2,w=1.2&routing=d_mod_k&packet=2KiB&load=0.5&run=click");
  await state(page);
  const input = page.locator("input[type=file]").first();
  await input.setInputFiles(FILE);
  await state(page, ({ text }) => text.includes("traffic=matrix,data="));

  await page.getByRole("combobox", { name: "Exchange" }).selectOption("matrix");
  const example = await state(page, ({ text }) => text.includes("exchange=matrix"));
  assert.ok(!example.text.includes("traffic=") && !example.text.includes("load="), example.text);
  await input.setInputFiles(FILE);
  const { text } = await state(page, ({ text }) => /exchange=matrix,(order=at_once,)?data=(?!example)/.test(text));
  assert.ok(!text.includes("traffic="), text);
  // Each message has a length of its own.
  await page.locator(".field-bytes").waitFor({ state: "hidden" });

  const run = async (text) => {
    await page.keyboard.press("Control+Enter");
    const lines = await finish(page);
    assert.deepEqual(lines, await commandLine(text));
    const { exchange } = JSON.parse(lines[0]);
    assert.deepEqual([exchange.messages, exchange.of_messages], [MESSAGES, MESSAGES]);
    await page.getByRole("heading", { name: /^The exchange takes / }).waitFor();
    return exchange.completion_ns;
  };
  const together = await run(text);
  assert.ok(together > 0, `${together}`);
  await shot(page, "sent");

  await page.getByRole("combobox", { name: "Order" }).selectOption("row");
  const turned = await state(page, ({ text }) => text.includes("exchange=matrix,order=row,data="));
  assert.ok((await run(turned.text)) > 0);

  // Only rings and ping-pong have a bandwidth of a rank, and the page says so where one is asked for.
  const asked = "topology=xgft,m=4.2,w=1.2&exchange=matrix&y=rank_bandwidth";
  const lacking = await open(`/?v=1&${asked}&run=auto`);
  await finish(lacking);
  await lacking.getByText(/No bandwidth of a rank: only a ring or ping-pong has one/).waitFor();
}
