import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { test } from "node:test";

test("a bundle above its budget fails the build, and one at it does not", () => {
  const folder = mkdtempSync(tmpdir() + "/hapax-ui-");
  try {
    writeFileSync(folder + "/app.js", "a".repeat(1000));
    writeFileSync(folder + "/app.css", "b".repeat(1000));
    const size = Number(/(\d+) bytes/.exec(checked(folder, 100_000).stdout)?.[1]);
    assert.ok(size > 20 && size < 2000);
    assert.equal(checked(folder, size).status, 0);
    const over = checked(folder, size - 1);
    assert.equal(over.status, 1);
    assert.ok(over.stderr.includes("over its budget"));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

function checked(folder: string, budget: number) {
  return spawnSync("sh", ["build/budget", folder, String(budget)], { encoding: "utf8" });
}
