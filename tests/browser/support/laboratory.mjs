// What the measurements share: a page in a browser of its own.
import { resolve } from "node:path";
import { chromium } from "playwright-core";
import { ask, state } from "./lab.mjs";

/// The browser, and the program that starts it on one processor.
export const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
export const ON_ONE = resolve(import.meta.dirname, "on_one_processor.sh");

/// Opens the page at an address in a browser that this program starts. `run` runs a text there and
/// returns its results, a line of JSON each.
export async function laboratory(address, executablePath) {
  const browser = await chromium.launch({
    executablePath,
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic"],
    env: { ...process.env, CHROMIUM },
  });
  const page = await browser.newPage();
  await page.goto(address);
  const run = async (text) => {
    await ask(page, "set-state", { text });
    await ask(page, "run");
    await state(page, ({ running, done, total }) => !running && total > 0 && done === total, 600);
    return (await ask(page, "get-results")).results;
  };
  return { page, run, close: () => browser.close() };
}
