// The pages to read: the laboratory leads there and their links lead back, a published figure opens as
// its study, and the lesson's figures are live.
import assert from "node:assert/strict";
import { finish, state } from "../support/lab.mjs";

export default async function ({ open, site, shot }) {
  const page = await open("/?v=1&run=never");
  await page.getByRole("link", { name: "Figures" }).click();
  await page.getByRole("heading", { name: "Published figures" }).waitFor();
  await shot(page, "figures");
  const card = page.locator("#P-F6\\.3");
  await card.locator("summary").click();
  await card.scrollIntoViewIfNeeded();
  await shot(page, "card");
  await card.getByRole("link", { name: "Open", exact: true }).first().click();
  assert.match((await state(page)).text, /traffic=bit_complement/);

  // Figures of phases open with their phases; nothing is simulated for them.
  const phased = await open("/figures.html");
  await phased.locator("#P-F4\\.2").getByRole("link", { name: "Open", exact: true }).click();
  await phased.getByText("24 ranks, 552 messages, 24 phases.").waitFor();
  assert.equal(await phased.locator(".phases figure").count(), 16);
  assert.equal((await state(phased)).done, 0);

  // Every link leads somewhere.
  const figures = await open("/figures.html");
  const anchors = await figures.evaluate(() =>
    [...document.querySelectorAll('a[href^="#"]')].filter((link) => !document.getElementById(link.hash.slice(1))).length,
  );
  assert.equal(anchors, 0);
  // A number that is not the document's says why.
  assert.equal(await figures.locator(".missed").count(), 0);
  const differing = await figures.locator("tr:has(.differs)").count();
  assert.ok(differing > 0);
  assert.equal(await figures.locator("tr:has(.differs) + .reason").count(), differing);
  await figures.getByRole("link", { name: /Lesson/ }).click();
  await figures.getByRole("heading", { name: /must share a link/ }).waitFor();

  const lesson = await open("/optimal_routes.html", { viewport: { width: 1000, height: 1000 } });
  // A figure runs when it comes into view.
  for (const [place, varied] of ["bytes=2KiB..32KiB", "x=adapter_latency"].entries()) {
    await lesson.locator("iframe").nth(place).scrollIntoViewIfNeeded();
    const find = () => lesson.frames().find((each) => each.url().includes(varied));
    await lesson.waitForFunction((count) => frames.length >= count, place + 1);
    await lesson.locator("iframe").nth(place).contentFrame().locator("svg").first().waitFor();
    const records = (await finish(find())).map((line) => JSON.parse(line));
    const optimal = records.filter((record) => record.series === "Pattern-specific");
    assert.ok(optimal.length > 1, JSON.stringify(records[0]));
    const { completion_ns, ideal_ns } = optimal.at(-1).exchange;
    // 32 ranks take part in 32 phases, the ideal has 31.
    assert.ok(completion_ns / ideal_ns < 32 / 31 + 0.001);
  }
  await shot(lesson, "lesson", { fullPage: true });
  // The model, with the lesson that a first packet blocks those behind it.
  const lab = await open("/");
  await lab.getByRole("link", { name: "What is simulated, and what is not" }).click();
  const frame = lab.locator("iframe");
  await frame.scrollIntoViewIfNeeded();
  await frame.contentFrame().locator("svg").first().waitFor();
  const switches = (await finish(lab.frames().find((each) => each.url().includes("fifo_inputs")))).map((line) => JSON.parse(line));
  const [free, blocked] = [9, 19].map((place) => switches[place].metrics.accepted);
  assert.ok(free > 0.98 && blocked > 0.58 && blocked < 0.62, `${free} and ${blocked}`);
  await shot(lab, "model", { fullPage: true });

  const small = await open("/model.html", { viewport: { width: 360, height: 800 } });
  const narrow = await open("/optimal_routes.html", { viewport: { width: 360, height: 800 }, colorScheme: "dark" });
  await shot(narrow, "narrow");
  for (const each of [small, narrow, await open("/figures.html", { viewport: { width: 360, height: 800 } })]) {
    const overflow = await each.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(overflow <= 0, `${overflow} pixels too wide`);
  }
}
