// A worker that dies is replaced; the study is finished all the same, with the same numbers.
import assert from "node:assert/strict";
import { ask, commandLine, finish, state } from "../support/lab.mjs";

const TEXT = "topology=dragonfly,p=3,a=6,h=3 load=0.1..0.9:9";

export default async function ({ open, complaints }) {
  const expected = await commandLine(TEXT);
  for (const death of ["close", "throw"]) {
    const page = await open("/", { cores: 3 });
    await ask(page, "set-state", { text: TEXT });
    await ask(page, "run");
    await state(page, ({ done }) => done >= 1);
    const workers = page.workers();
    assert.ok(workers.length >= 1);
    const killed = workers[0].evaluate((death) => {
      // Later, so that there is still somebody to answer.
      setTimeout(() => {
        if (death === "close") self.close();
        else throw new Error("killed by the test");
      }, 20);
    }, death);
    // On a busy machine it may be gone before its answer has come through.
    await killed.catch((error) => assert.match(String(error), /has been closed/));
    assert.deepEqual(await finish(page), expected, death);
  }
  // The browser itself reports what was thrown in the worker; nothing else may complain.
  const others = complaints.filter((complaint) => !complaint.includes("killed by the test"));
  complaints.splice(0, complaints.length, ...others);
}
