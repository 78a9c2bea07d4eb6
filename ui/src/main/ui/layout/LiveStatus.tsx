import { live } from "../api/live.ts";
import { duration } from "../core/format.ts";
import { useStore } from "../core/store.ts";
import { now, relative } from "../core/time.ts";
import { text } from "../text.ts";

const STALE_AFTER = 3000;

/** Says whether what is shown is current. It changes seldom, so that it may be read aloud. */
export function LiveStatus() {
  const state = useStore(live);
  if (state.state === "reconnecting") return <Lost since={state.since} retryAt={state.retryAt} />;
  const isLive = state.state === "live";
  return (
    <p class={"live tone-" + (isLive ? "good" : "quiet")} title={isLive ? text.live.liveHint : undefined} role="status">
      <span class="status-mark" aria-hidden="true" />
      {isLive ? text.live.live : text.live.off}
    </p>
  );
}

function Lost({ since, retryAt }: { since: number; retryAt: number }) {
  const at = useStore(now);
  const span = at - since;
  return (
    <p class="live tone-warn" title={text.live.retry(relative(new Date(retryAt).toISOString(), at))}>
      <span class="status-mark" aria-hidden="true" />
      {span < STALE_AFTER ? text.live.reconnecting : text.live.stale(duration(Math.round(span / 1000) * 1000))}
    </p>
  );
}
