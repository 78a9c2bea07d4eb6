import { useRef } from "preact/hooks";
import { may } from "../api/session.ts";
import { useCall, useChanges } from "../api/use.ts";
import { useEvery } from "../core/every.ts";

const REFRESH = 30_000;
const SPAN = 60_000;
const STEP = 300_000;
/** A busy server changes all the time, and every tab counts. */
const AFTER_CHANGES = 1500;
/** A decision ends a review or an approval by any status, so each change of a run may change the counts. */
const always = () => true;

/** How many decisions wait for a person, by the path of the page that has them; empty if the caller may not know. */
export function useOpen(): Record<string, number> {
  // The other counts of the overview are of its span: a minute costs little, also in a tab that is open for weeks.
  const from = new Date(Math.floor((Date.now() - SPAN) / STEP) * STEP).toISOString();
  const overview = useCall("GET /api/overview", may("runs:read") ? { query: { from } } : null);
  useChanges("open", always, overview.reload, AFTER_CHANGES);
  useEvery(REFRESH, overview.reload);
  const known = useRef<Record<string, number>>({});
  if (overview.data) known.current = { "/reviews": overview.data.reviews.count, "/desk": overview.data.approvals.count };
  return known.current;
}
