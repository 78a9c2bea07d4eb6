import { text } from "../../text.ts";

export type Decision = "happened" | "not-happened" | "abandon";

/** The decisions about an effect in review, each with what it does. */
export const decisions = (["happened", "not-happened", "abandon"] as Decision[]).map((value) => ({
  value,
  ...text.reviews.decisions[value],
}));
