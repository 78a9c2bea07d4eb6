declare module "node:test" {
  export function test(name: string, body: () => void | Promise<void>): void;
}
declare module "node:assert/strict" {
  const assert: {
    equal(actual: unknown, expected: unknown): void;
    deepEqual(actual: unknown, expected: unknown): void;
    ok(value: unknown): void;
  };
  export default assert;
}
declare module "node:child_process" {
  export function spawnSync(program: string, args: string[], options: { encoding: "utf8" }): { status: number | null; stdout: string; stderr: string };
}
declare module "node:fs" {
  export function mkdtempSync(prefix: string): string;
  export function rmSync(path: string, options: { recursive: boolean }): void;
  export function writeFileSync(path: string, content: string): void;
}
declare module "node:os" {
  export function tmpdir(): string;
}
