import { useStore } from "../core/store.ts";
import { exactTime, now, relative, shortTime } from "../core/time.ts";

/** An instant in the viewer's zone, with the exact one on hover; relative if asked. */
export function Time({ at, isRelative }: { at: string; isRelative?: boolean }) {
  return (
    <time dateTime={at} title={exactTime(at)}>
      {isRelative ? <Away at={at} /> : shortTime(at)}
    </time>
  );
}

function Away({ at }: { at: string }) {
  return <>{relative(at, useStore(now))}</>;
}
