import { Store } from "./store.ts";

const media = typeof matchMedia === "undefined" ? null : matchMedia("(max-width: 900px)");

/** Whether the window is too narrow for a row with many columns; the style has the same bound. */
export const narrow = new Store(media?.matches ?? false);

media?.addEventListener("change", (event) => narrow.set(event.matches));
