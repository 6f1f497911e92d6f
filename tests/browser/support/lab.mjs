// What the cases share: opening the page, talking to it, and the command line beside it.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/// The records that the command line prints for a text, without the seconds.
export async function commandLine(text) {
  const program = process.env.DRAGONTREE;
  assert.ok(program, "DRAGONTREE must name the dragontree program");
  const { stdout } = await run(program, ["run", text, "--json"], { maxBuffer: 1 << 28 });
  return withoutSeconds(stdout);
}

/// Lines of JSON with the measured time taken out, all else byte for byte.
export function withoutSeconds(lines) {
  return lines.trim().split("\n").map((line) => line.replace(/"seconds":[0-9.e+-]+,/, ""));
}

/// Asks the page (or a frame) over its message interface.
export function ask(frame, type, data = {}) {
  return frame.evaluate(
    ([type, data]) =>
      new Promise((resolve, reject) => {
        const id = Math.random();
        const late = setTimeout(() => reject(new Error(`no answer to ${type}`)), 10_000);
        const hear = (event) => {
          if (event.data?.id !== id || event.data.type === `dragontree:${type}`) return;
          clearTimeout(late);
          removeEventListener("message", hear);
          resolve(event.data);
        };
        addEventListener("message", hear);
        postMessage({ ...data, id, type: `dragontree:${type}` });
      }),
    [type, data],
  );
}

/// Waits until the page answers, then until `condition` holds of its state.
export async function state(frame, condition = () => true, seconds = 60) {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const found = await ask(frame, "get-state").catch(() => null);
    if (found && condition(found)) return found;
    assert.ok(Date.now() < end, `the state was never as expected: ${JSON.stringify(found)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/// Runs the study of a page to its end and returns its records without the seconds.
export async function finish(frame, seconds = 120) {
  await state(frame, ({ running, done, total }) => !running && total > 0 && done === total, seconds);
  const { results } = await ask(frame, "get-results");
  return withoutSeconds(results);
}
