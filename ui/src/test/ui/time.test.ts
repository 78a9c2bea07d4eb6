import assert from "node:assert/strict";
import { test } from "node:test";
import { instantOf, inWords, localOf } from "../../main/ui/core/time.ts";

test("instants and lengths of time in a sentence are told as the rest of the page tells them", () => {
  const told = inWords("done at 2026-11-19T02:24:07.219Z, not found after PT2.8S; kept P30D, tried PT1H5M.");
  assert.ok(!/PT|P30D|\dT\d|Z,/.test(told));
  assert.ok(told.endsWith("not found after 2.8 s; kept 30 d, tried 1 h 5 min."));
});

test("what only looks like an instant or a length stays as it is", () => {
  for (const text of ["order PT-7 of P30", "PTA", "key 2026-11-19", "PT"]) assert.equal(inWords(text), text);
});

test("a field for a day and a time gives back the instant that it was filled with", () => {
  assert.equal(instantOf(localOf("2026-03-01T10:00:00Z")), "2026-03-01T10:00:00.000Z");
  assert.equal(instantOf(""), null);
  assert.equal(localOf("yesterday"), "");
});
