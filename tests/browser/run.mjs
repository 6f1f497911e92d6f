// Drives the built page in Chromium: `node run.mjs DIST [CASE…]`.
//
// CHROMIUM names the browser and DRAGONTREE the command-line program that the page is compared
// with. Every case starts with an empty profile; a console error or warning fails it.
import { readdir, mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import { chromium } from "playwright-core";
import { serve } from "./support/server.mjs";

const [dist, ...wanted] = process.argv.slice(2);
if (!dist) {
  console.error("usage: node run.mjs DIST [CASE…]");
  process.exit(2);
}
const folder = resolve(dist);
const screenshots = new URL("./screenshots/", import.meta.url).pathname;
await mkdir(screenshots, { recursive: true });

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"],
});
const site = await serve({ folder });

/// Opens a page of its own context; complaints are collected until the case ends.
function opener(complaints, contexts) {
  return async (address, { cores, ...options } = {}) => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
    contexts.push(context);
    if (cores) {
      await context.addInitScript((cores) => {
        Object.defineProperty(navigator, "hardwareConcurrency", { get: () => cores });
      }, cores);
    }
    const page = await context.newPage();
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("requestfailed", (request) => {
      // A page that is left drops what it still asks for, such as its icon.
      const dropped = request.failure()?.errorText === "net::ERR_ABORTED";
      if (!dropped) complaints.push(`no answer: ${request.url()}`);
    });
    await page.goto(address.startsWith("http") ? address : site.origin + address);
    return page;
  };
}

let failures = 0;
const names = (await readdir(new URL("./cases/", import.meta.url))).filter((n) => n.endsWith(".mjs"));
for (const file of names.sort()) {
  const name = file.replace(/\.mjs$/, "");
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const started = Date.now();
  const complaints = [];
  const contexts = [];
  const { default: test } = await import(new URL(`./cases/${file}`, import.meta.url));
  const shot = (page, label, options = {}) => page.screenshot({ path: `${screenshots}${name}-${label}.png`, ...options });
  let error;
  try {
    await test({ open: opener(complaints, contexts), site, folder, shot, complaints });
    if (complaints.length > 0) throw new Error(`the console says:\n  ${complaints.join("\n  ")}`);
  } catch (thrown) {
    error = thrown;
    const page = contexts.at(-1)?.pages().at(-1);
    if (page) await shot(page, "failed").catch(() => {});
  }
  for (const context of contexts) await context.close();
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  console.log(`${error ? "FAILED" : "ok    "} ${name} (${seconds} s)`);
  if (error) {
    failures += 1;
    console.log(String(error.stack ?? error).replace(/^/gm, "    "));
  }
}
await browser.close();
site.close();
process.exitCode = failures > 0 ? 1 : 0;
