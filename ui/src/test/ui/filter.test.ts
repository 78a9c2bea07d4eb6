import assert from "node:assert/strict";
import { test } from "node:test";
import { admits, filterOf, mayMatch, notApplied, queryOf, selectionOf } from "../../main/ui/pages/runs/filter.ts";

test("a filter is what the address says, and nothing else", () => {
  const filter = filterOf(new URLSearchParams("status=failed&search.city=Köln&step=pay&flow="));
  assert.deepEqual(filter, { status: "failed", "search.city": "Köln" });
  assert.equal(queryOf({ b: "2", a: "1" }), queryOf({ a: "1", b: "2" }));
});

test("a job selects by the same filter, or not at all", () => {
  assert.deepEqual(selectionOf({ status: "failed", retryable: "true", "search.city": "x" }, "retry"), { status: "failed", retryable: true, search: { city: "x" } });
  assert.equal(selectionOf({ parent: "r-1" }, "retry"), null);
  assert.equal(selectionOf({ status: "compensated,canceled" }, "retry"), null);
  assert.equal(selectionOf({}, "retry"), null);
});

test("all runs of a cause of failures are retried by one job, which takes failed and partial ones without a status", () => {
  const cause = { status: "partial,failed", flow: "order", error: "card-refused", since: "2026-01-01T00:00:00Z" };
  assert.deepEqual(selectionOf(cause, "retry"), { flow: "order", error: "card-refused", since: "2026-01-01T00:00:00Z" });
  assert.deepEqual(selectionOf({ status: "partial,failed" }, "retry"), { all: true });
  assert.equal(selectionOf(cause, "cancel"), null);
});

test("what a text finds is limited by the filters that it has, and the others are named", () => {
  const hit = { flow: "order-eu", status: "failed" };
  assert.equal(admits({ flow: "order-*", status: "partial,failed" }, hit), true);
  assert.equal(admits({ flow: "order" }, hit), false);
  assert.equal(admits({ status: "waiting" }, hit), false);
  assert.equal(admits({ status: "retrying", keyPrefix: "A" }, hit), true);
  assert.deepEqual(notApplied({ flow: "order", status: "retrying", keyPrefix: "A", draft: "true" }), ["status", "keyPrefix"]);
});

test("only a run that may match is counted as new", () => {
  const event = { flow: "order-eu", key: "A-1", status: "failed" };
  assert.equal(mayMatch({}, event), true);
  assert.equal(mayMatch({ flow: "order-*", status: "failed", keyPrefix: "A-" }, event), true);
  assert.equal(mayMatch({ status: "review" }, event), false);
  assert.equal(mayMatch({ flow: "order" }, event), false);
  assert.equal(mayMatch({ status: "partial,failed" }, event), true);
});
