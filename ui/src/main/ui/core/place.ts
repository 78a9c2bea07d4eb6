/** Where the server has put the UI: the prefix of all paths, and its version. */
const root = typeof document === "undefined" ? undefined : document.documentElement;

export const base = root?.dataset.base ?? "";
export const version = root?.dataset.version ?? "";
