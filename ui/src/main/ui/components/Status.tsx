import { text } from "../text.ts";

/** What a status means to a person, as a colour of the design. */
const TONES: Record<string, string> = {
  reading: "good",
  "held-up": "warn",
  pausing: "warn",
  active: "good",
  paused: "warn",
  suspended: "warn",
  deleting: "bad",
  ok: "good",
  live: "good",
  accepted: "good",
  duplicate: "calm",
  conflicting: "warn",
  invalid: "bad",
  rejected: "bad",
  delivered: "good",
  undelivered: "active",
  dead: "bad",
  "not-live": "warn",
  queued: "quiet",
  running: "active",
  waiting: "calm",
  retrying: "warn",
  review: "ask",
  doubt: "ask",
  canceling: "warn",
  compensating: "warn",
  undoing: "warn",
  pending: "active",
  succeeded: "good",
  done: "good",
  partial: "bad",
  failed: "bad",
  abandoned: "bad",
  compensated: "quiet",
  undone: "quiet",
  canceled: "quiet",
  planning: "active",
  planned: "calm",
  open: "quiet",
  doing: "active",
  skipped: "warn",
  stopped: "bad",
  probing: "warn",
};

export function toneOf(status: string): string {
  return TONES[status] ?? "quiet";
}

/** A status as a word with a mark, so that it is not told by colour alone. */
export function Status({ of }: { of: string }) {
  return (
    <span class={"status tone-" + toneOf(of)}>
      <span class="status-mark" aria-hidden="true" />
      {text.status[of] ?? of}
    </span>
  );
}
