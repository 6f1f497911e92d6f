// Exchanges: chosen in the form, run, told in words, the same as the command line's; and one from a file.
import assert from "node:assert/strict";
import { commandLine, finish, state } from "../support/lab.mjs";

const TEXT =
  "topology=xgft,m=4.4.2,w=1.4.2 routing=d_mod_k bytes=1KiB/8KiB packet=2KiB " +
  "case=LIN exchange=all_to_all,order=lin case=XOR exchange=all_to_all,order=xor";
const GOAL =
  "num_ranks 2\nrank 0 {\nsend 4096b to 1\n}\nrank 1 {\na: recv 4096b from 0\n}\n";

export default async function ({ open, shot }) {
  const link = `/?v=1&${TEXT.replaceAll(" ", "&")}`;
  const page = await open(`${link}&run=auto`);
  const lines = await finish(page);
  assert.deepEqual(lines, await commandLine(TEXT));
  const times = lines.map((line) => JSON.parse(line).exchange.completion_ns);
  assert.ok(times.every((time) => time > 0), `${times}`);
  await page.getByRole("heading", { name: /takes .* at 8 KiB message size/ }).waitFor();
  await page.getByText("no contention", { exact: true }).first().waitFor();
  await page.getByText(/has most to carry: /).waitFor();
  assert.equal(await page.getByText("bound: the busiest link").count(), 0);
  await shot(page, "sizes");

  // The selected run, the last of the last curve, is filmed until everything has arrived.
  await page.getByText("One run over time").click();
  await page.getByRole("button", { name: "Simulate and film the selected run" }).click();
  await page.locator(".player:not([hidden])").waitFor();
  const told = await page.locator(".course p").innerText();
  assert.match(told, /^(LIN|XOR): all 992 messages have arrived after /);
  await page.locator('.course svg[aria-label^="Links to endpoints, busy over time"]').waitFor();
  await page.locator(".load-key").getByText("Busy on average").waitFor();
  await shot(page, "film");

  // Traffic gives way to an exchange that is chosen in the form, and the other way round.
  const form = await open("/?v=1&topology=dragonfly,p=2,a=4,h=2&traffic=shift,by=1&load=0.5&run=click");
  await state(form);
  await form.getByRole("combobox", { name: "Exchange" }).selectOption("all_to_all");
  const chosen = await state(form, ({ text }) => text.includes("exchange=all_to_all"));
  assert.ok(!chosen.text.includes("traffic=") && !chosen.text.includes("load="), chosen.text);
  assert.equal(await form.getByRole("combobox", { name: "Traffic" }).isVisible(), false);
  await form.keyboard.press("Control+Enter");
  assert.equal((await finish(form)).length, 1);
  await form.getByRole("heading", { name: /^The exchange takes / }).waitFor();
  await form.getByRole("combobox", { name: "Exchange" }).selectOption("none");
  await form.getByRole("combobox", { name: "Traffic" }).waitFor();

  // A file of messages is told by what it says.
  const file = { name: "trace.goal", mimeType: "text/plain", buffer: Buffer.from(GOAL) };
  await form.locator("input[type=file]").setInputFiles(file);
  await state(form, ({ text }) => text.includes("exchange=messages,data="));
  await form.keyboard.press("Control+Enter");
  const [sent] = await finish(form);
  assert.equal(JSON.parse(sent).exchange.messages, 1);

  const narrow = await open(`${link}&run=auto`, { viewport: { width: 360, height: 780 }, colorScheme: "dark" });
  await finish(narrow);
  const wider = await narrow.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(wider <= 0, `${wider} px too wide`);
  await shot(narrow, "narrow");
}
