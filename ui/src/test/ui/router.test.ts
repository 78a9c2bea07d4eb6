import assert from "node:assert/strict";
import { test } from "node:test";
import { link, match, pathTo } from "../../main/ui/core/router.ts";

test("a key with a slash is one segment, there and back", () => {
  const path = pathTo("runs", "a/b ü");
  assert.equal(path, "/runs/a%2Fb%20%C3%BC");
  assert.deepEqual(match("/runs/:id", path), { id: "a/b ü" });
});

test("a path matches its own pattern and no other", () => {
  assert.deepEqual(match("/", "/"), {});
  assert.equal(match("/", "/runs"), null);
  assert.equal(match("/runs", "/"), null);
  assert.deepEqual(match("/runs", "/runs/"), {});
  assert.equal(match("/runs/:id", "/runs"), null);
  assert.equal(match("/runs/:id", "/runs/%E0%A4%A"), null);
});

test("a link leaves out what has no value", () => {
  assert.equal(link("/runs", { status: "failed", flow: "", since: null, draft: true }), "/runs?status=failed&draft=true");
});
