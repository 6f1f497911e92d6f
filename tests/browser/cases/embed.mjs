// The figure in a page of another origin: no chrome, sized by messages, driven by its host.
import assert from "node:assert/strict";
import { serve } from "../support/server.mjs";
import { ask, finish, state } from "../support/lab.mjs";

export default async function ({ open, site, shot }) {
  const study = "v=1&topology=dragonfly,p=2,a=4,h=2&traffic=bit_complement&load=0.05..0.3:6";
  const source = `${site.origin}/?${study}&embed=1&run=click`;
  const host = `<!doctype html><title>Course</title><link rel="icon" href="data:,"><h1>Course</h1>
    <iframe src="${source}" title="figure" width="640" height="480" style="border:0"></iframe>
    <script>window.heard = []; addEventListener("message", (e) => heard.push(e.data));</script>`;
  const other = await serve({ pages: { "/": host } });
  try {
    const page = await open(other.origin);
    const frame = page.frames().find((each) => each.url().startsWith(site.origin));
    await state(frame);
    assert.equal(await frame.locator("header.top").count(), 0);
    const before = await page.evaluate(() => history.length);
    await page.evaluate(() => frames[0].postMessage({ type: "dragontree:run", id: 1 }, "*"));
    await page.waitForFunction(() => heard.some((data) => data.type === "dragontree:done"), null, { timeout: 60_000 });
    const records = await finish(frame);
    assert.equal(records.length, 6);
    assert.equal(await page.evaluate(() => history.length), before);
    assert.equal(frame.url(), source);
    const heard = await page.evaluate(() => heard);
    assert.ok(heard.some((data) => data.type === "dragontree:resize" && data.height > 100));
    assert.ok(heard.some((data) => data.subject === "lti.frameResize"));
    await frame.getByRole("link", { name: /open in dragontree/i }).waitFor();
    await shot(page, "host");
    const full = await open(await frame.getByRole("link", { name: /open in dragontree/i }).getAttribute("href").then((href) => new URL(href, frame.url()).href));
    assert.match((await state(full)).text, /traffic=bit_complement/);
    assert.equal(await full.locator("header.top").count(), 1);

    // Controls that stand side by side begin at one height.
    const strip = await open("/?v=1&traffic=shift,by=32&embed=1", { viewport: { width: 700, height: 900 } });
    await state(strip);
    const [traffic, placement] = await strip.evaluate(() =>
      ["traffic", "placement"].map((key) => document.querySelector(`.field-${key}`).getBoundingClientRect().top),
    );
    assert.equal(traffic, placement);
    // A figure of traffic offers no exchange instead, nor the other way round.
    assert.equal(await strip.getByLabel("Exchange", { exact: true }).isVisible(), false);
  } finally {
    other.close();
  }
}
