// The messages of a run: phases, contention, formulas, and the best ways to cut and place a domain.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import AxeBuilder from "@axe-core/playwright";
import { state } from "../support/lab.mjs";

const SUMMARY = "Messages: phases, contention, formulas, the best placement";
const LOOK = "Look at the messages of the selected run";

async function looked(open, address, options) {
  const page = await open(address, options);
  await state(page);
  await page.getByText(SUMMARY).click();
  await page.getByRole("button", { name: LOOK }).click();
  return page;
}

export default async function ({ open, shot }) {
  // GHE on groups of 6 ranks below 3 a switch: phases between groups carry nothing within them
  // (Prisacari 2020, §4.3.2).
  const dragonfly = "/?v=1&topology=dragonfly,p=2,a=3,h=1&exchange=all_to_all,order=ghe&run=never";
  const page = await looked(open, dragonfly);
  await page.getByText("24 ranks, 552 messages, 24 phases.").waitFor();
  assert.equal(await page.locator(".phases figure").count(), 16);
  await page.getByText("within a switch", { exact: true }).waitFor();
  await page.locator(".phases figcaption").getByText(/^phase 6: 24 messages, 24 between groups/).waitFor();
  await page.locator(".sent .stages svg[aria-label^='From phase 1 to phase 23']").waitFor();
  await page.locator(".phases").scrollIntoViewIfNeeded();
  await page.locator(".phases figure").last().scrollIntoViewIfNeeded();
  await shot(page, "phases");
  // The others, by the keyboard too: the field steps by as many as are shown.
  const from = page.getByRole("spinbutton", { name: /phases in which somebody sends, from phase/ });
  await from.press("ArrowUp");
  await page.locator(".phases figcaption").getByText(/^phase 17: 24 messages/).waitFor();
  assert.equal(await page.locator(".phases figure").count(), 7);
  await from.fill("1");
  await page.locator(".phases figcaption").getByText(/^phase 6: 24 messages/).waitFor();
  const { violations } = await new AxeBuilder({ page }).include(".routes").analyze();
  assert.deepEqual(violations.map(({ id, nodes }) => `${id} ${nodes.map((n) => n.html)}`), []);

  // Another study: what was said of the former one is gone.
  const text = page.getByRole("textbox", { name: /experiment/i }).first();
  await text.fill("topology=xgft,m=4.4,w=1.2 routing=pattern_specific traffic=shift,by=4 load=0.5");
  await state(page, ({ text }) => text.includes("traffic=shift,by=4"));
  assert.equal(await page.locator(".sent").innerText(), "");
  // 4 messages leave each leaf switch over 2 links.
  await page.getByRole("button", { name: LOOK }).click();
  await page.getByText("The only phase is optimal: contention 2.").waitFor();
  // Asked at once, before the page has asked its own questions about the new study.
  const asked = ([text, label]) => {
    postMessage({ type: "dragontree:set-state", text });
    const look = [...document.querySelectorAll("button")].find((each) => each.textContent === label);
    return new Promise((done) => setTimeout(() => done(look.click()), 20));
  };
  const rushed = "topology=xgft,m=4.4,w=1.1 routing=pattern_specific traffic=shift,by=4 load=0.5";
  await page.evaluate(asked, [rushed, LOOK]);
  await page.getByText("The only phase is optimal: contention 4.").waitFor();
  await page.evaluate(asked, [rushed.replace("1.1", "1.2"), LOOK]);
  await page.getByText("The only phase is optimal: contention 2.").waitFor();
  // Other routings for the same messages.
  const greedy = page.getByRole("group", { name: "Routings compared" }).locator("tr", { hasText: "Greedy" });
  await greedy.getByRole("link", { name: "Simulate it" }).waitFor();
  assert.equal(await greedy.locator("td").nth(2).innerText(), "1");
  await greedy.scrollIntoViewIfNeeded();
  await shot(page, "routings");
  // All of it is seen on a screen of 1200 pixels, with times and a level more, too.
  const laptop = await looked(
    open,
    "/?v=1&topology=xgft,m=4.2.2,w=1.4.2&routing=d_mod_k&exchange=all_to_all,order=xor&run=never",
    { viewport: { width: 1200, height: 800 } },
  );
  const compared = laptop.getByRole("group", { name: "Routings compared" });
  await compared.getByText("Completion,").waitFor();
  const beyond = await compared.evaluate((group) => group.scrollWidth - group.clientWidth);
  assert.ok(beyond <= 0, `${beyond} px too wide`);
  await compared.scrollIntoViewIfNeeded();
  await shot(laptop, "compared");
  const all = await page.getByRole("link", { name: "Simulate them all" }).getAttribute("href");
  assert.match(all, /routing=greedy&routing=s_mod_k/);
  // The ways as a file: each of 16 sources has one, three switches long.
  await page.getByRole("button", { name: "Share" }).click();
  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: "Source tables" }).click();
  const tables = await readFile(await (await saving).path(), "utf8");
  assert.match(tables, /^source 15 # endpoint 15\n0 3 \d+,\d+,3 # endpoint 3\n/m);
  await shot(page, "share");
  await page.keyboard.press("Escape");
  await text.fill("topology=xgft,m=4.4,w=1.4 traffic=uniform load=0.5");
  await state(page, ({ text }) => !text.includes("shift"));
  await page.getByRole("button", { name: LOOK }).click();
  await page.locator(".sent .wrong").getByText(/it has no phases to look at; allowed: an exchange/).waitFor();

  // 64 tasks are best cut into 4 × 4 × 4 (Prisacari 2020, Fig. 5.3); its experiment is a link.
  const stencil = "exchange=nearest_neighbor,elements=64.64.64,tasks=64.1.1,per_element=16B";
  const other = await looked(open, `/?v=1&topology=dragonfly,p=4,a=8,h=4&${stencil}&run=never`, {
    viewport: { width: 360, height: 780 },
    colorScheme: "dark",
  });
  const first = other.locator(".sent tbody tr").first();
  await first.getByText("4 × 4 × 4").first().waitFor();
  await shot(other, "narrow");
  await first.getByRole("link", { name: "Simulate it" }).click();
  await state(other, ({ text }) => text.includes("tasks=4.4.4"));
  const { problems } = await state(other);
  assert.deepEqual(problems, []);
}
