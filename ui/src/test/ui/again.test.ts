import assert from "node:assert/strict";
import { test } from "node:test";
import { againOf } from "../../main/ui/pages/replays/again.ts";

test("the same plan again has all its runs, its step, its release and what else was asked for", () => {
  const spec = {
    filter: { ids: ["r-1", "r-2"] },
    wish: { step: "pay", item: "sku-1", release: 3, input: '{"cents":9007199254740993}', outputs: { quote: "7" }, ask: ["ok", "sign"], force: [{ effect: "charge", reason: "lost" }] },
  };
  assert.deepEqual(againOf(spec), {
    runs: "r-1\nr-2",
    from: "pay",
    item: "sku-1",
    release: "3",
    input: '{"cents":9007199254740993}',
    outputs: '{"quote":7}',
    ask: "ok sign",
    force: "charge",
    why: "lost",
  });
});

test("a plan of a filter is asked for by the filter, on the live release if it was", () => {
  const again = againOf({ filter: { ids: null, flow: "order", since: "2026-01-01T00:00:00Z" }, wish: { outputs: {}, ask: [], force: [] }, release: "live" });
  assert.deepEqual([again.flow, again.since, again.runs, again.release, again.outputs], ["order", "2026-01-01T00:00:00Z", undefined, "live", null]);
});
