import assert from "node:assert/strict";
import { test } from "node:test";
import { GROUPS, pages } from "../../main/ui/pages/index.ts";
import { text } from "../../main/ui/text.ts";

test("no two pages have the same path or the same key after g", () => {
  const paths = pages.map((page) => page.path);
  const keys = pages.flatMap((page) => page.nav?.key ?? []);

  assert.deepEqual(paths, [...new Set(paths)]);
  assert.deepEqual(keys, [...new Set(keys)]);
});

test("every group of the navigation has a name and a page", () => {
  for (const group of GROUPS) {
    assert.ok(text.nav.groups[group]);
    assert.ok(pages.some((page) => page.nav?.group === group));
  }
});
