// The form and the text say the same, whichever is changed.
import assert from "node:assert/strict";
import { state } from "../support/lab.mjs";

export default async function ({ open }) {
  const page = await open("/");
  await state(page);
  await page.getByLabel("Traffic", { exact: true }).selectOption("bit_complement");
  await state(page, ({ text }) => text.includes("traffic=bit_complement"));
  await page.getByLabel("Topology", { exact: true }).selectOption("xgft");
  await state(page, ({ text }) => text.includes("topology=xgft,m=4.4.4,w=1.4.4"));
  // Minimal routing needs groups: the page says so and does not run.
  await page.getByText(/minimal needs groups/i).first().waitFor();
  const text = page.getByRole("textbox", { name: /experiment/i }).first();
  await text.fill("topology=dragonfly,p=2,a=4,h=2 traffic=shift,by=5 load=0.5/1");
  const found = await state(page, ({ total }) => total === 2);
  assert.deepEqual(found.problems, []);
  await page.getByLabel("Traffic", { exact: true }).waitFor();
  assert.equal(await page.getByLabel("Traffic", { exact: true }).inputValue(), "shift");
  // A click on what a row sets says what it does; a worker brings these sentences along.
  await page.getByRole("button", { name: "Shift by" }).click();
  await page.getByText("Rank s sends to s + by, modulo the number of ranks. Allowed: 0 to").waitFor();
  const traffic = await page.getByLabel("Traffic", { exact: true }).elementHandle();
  await page.waitForFunction(({ title }) => title.startsWith("Rank s sends to s + by: one stage"), traffic);
  await page.getByText("Links, switches, buffers, statistics").click();
  // Every row says what it sets; those of links come once the network is known.
  await page.locator(".more .row > .label", { hasText: "Bandwidth of global links" }).waitFor();
  const labels = await page.locator(".more .row > .label").allInnerTexts();
  assert.deepEqual(labels.filter((label, place) => labels.indexOf(label) !== place), []);
  // Of the classes of links those that the network has, and what the text sets for others.
  const classes = async () => {
    const labels = await page.locator(".more .row > .label").allInnerTexts();
    const named = labels.map((label) => label.match(/^(Bandwidth|Latency) of (.*) links$/));
    return named.filter(Boolean).map(([, of, name]) => `${of} ${name}`).join(", ");
  };
  const of = (kind, names) => names.map((name) => `${kind} ${name}`);
  const both = (...names) => [...of("Bandwidth", names), ...of("Latency", names)].join(", ");
  assert.equal(await classes(), both("endpoint", "local", "global"));
  await text.fill("topology=torus,widths=3.3,p=1 routing=min_hop latency=50ns,level3=1us load=0.5");
  const grid = ["endpoint", "dimension1", "dimension2"];
  const set = of("Latency", ["endpoint", "level3", "dimension1", "dimension2"]);
  const wanted = [...of("Bandwidth", grid), ...set].join(", ");
  for (let wait = 0; wait < 100 && (await classes()) !== wanted; wait++) await page.waitForTimeout(50);
  assert.equal(await classes(), wanted);
  await page.getByRole("button", { name: "Seed, draw another" }).click();
  await state(page, ({ text }) => / seed=\d+/.test(text));
  // What is known of a fabric does not stand under the name of the next one.
  await page.locator(".facts dd", { hasText: /^9$/ }).first().waitFor();
  const facts = await page.getByLabel("Topology", { exact: true }).evaluate(async (choice) => {
    choice.value = "dragonfly";
    for (const type of ["input", "change"]) choice.dispatchEvent(new Event(type, { bubbles: true }));
    await new Promise((then) => requestAnimationFrame(() => requestAnimationFrame(then)));
    return [...document.querySelectorAll(".facts dd")].map((fact) => fact.textContent);
  });
  assert.ok(facts.length > 0 && !facts.includes("9"), facts.join(", "));
}
