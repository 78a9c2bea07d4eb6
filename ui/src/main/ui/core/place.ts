/** Where the server has put the UI: the prefix of all paths, and its version. */
const root = typeof document === "undefined" ? undefined : document.documentElement;

export const base = root?.dataset.base ?? "";
export const version = root?.dataset.version ?? "";
/** The host at which people can log in; empty if they need a token. */
export const issuer = root?.dataset.issuer ?? "";
