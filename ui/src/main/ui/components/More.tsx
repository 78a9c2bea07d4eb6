import type { Paged } from "../api/paged.ts";
import { text } from "../text.ts";

/** Shows the next page of a list, if there is one. */
export function More({ of }: { of: Paged<unknown, unknown> }) {
  if (!of.data?.hasMore) return null;
  return (
    <button type="button" class="button more" disabled={of.isLoading} onClick={of.more}>
      {of.isLoading ? text.state.loading : text.state.more}
    </button>
  );
}
