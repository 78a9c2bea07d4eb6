import type { Paged } from "../api/paged.ts";
import { text } from "../text.ts";

/** Shows the next page of a list, if there is one. */
export function More({ of }: { of: Paged<unknown, unknown> }) {
  if (!of.data?.hasMore) return null;
  return (
    <button type="button" class="button more" disabled={of.isGrowing} onClick={of.more}>
      {of.isGrowing ? text.state.loading : text.state.more}
    </button>
  );
}
