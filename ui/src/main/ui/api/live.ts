import { useEffect } from "preact/hooks";
import { base } from "../core/place.ts";
import { Store } from "../core/store.ts";
import { may, session } from "./session.ts";

/** A change of a run. */
export interface RunEvent {
  run: string;
  flow: string;
  key: string;
  status: string;
  at: string;
}

/** Whether what is shown is current. */
export type LiveState =
  | { state: "live" }
  | { state: "off" }
  | { state: "reconnecting"; since: number; retryAt: number };

export const live = new Store<LiveState>({ state: "off" });

/** The server says something every 15 seconds; silence for longer is a lost connection. */
const SILENCE = 25_000;
const LONGEST_PAUSE = 15_000;
const HIDDEN_AFTER = 5_000;
/** How often pages are read anew for a caller who may not follow the stream, such as an approver. */
const POLL = 10_000;
/** A stream that opens later than this may have missed changes of what was loaded meanwhile. */
const SLOW = 1000;

type Listener = (event: RunEvent | null) => void;
const listeners = new Set<Listener>();
let lastId: string | null = null;
let since: number | null = null;
let failures = 0;
let current: AbortController | null = null;

function tell(event: RunEvent | null): void {
  for (const listener of [...listeners]) listener(event);
}

/** Calls at every change of a run; with null if changes may have been missed: look at everything anew. */
export function useLive(listener: Listener, depends: unknown[]): void {
  useEffect(() => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, depends);
}

function take(block: string): void {
  let type = "message";
  let data = "";
  for (const line of block.split("\n")) {
    const [name, value] = [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trimStart()];
    if (name === "id") lastId = value;
    else if (name === "event") type = value;
    else if (name === "data") data += value;
  }
  if (type === "run") tell(JSON.parse(data) as RunEvent);
  else if (type === "reset") tell(null);
}

async function read(control: AbortController): Promise<void> {
  const headers: Record<string, string> = { Accept: "text/event-stream" };
  if (lastId) headers["Last-Event-ID"] = lastId;
  const asked = Date.now();
  const response = await fetch(base + "/api/events", { headers, signal: control.signal, cache: "no-store" });
  if (!response.ok || !response.body) throw new Error(String(response.status));
  // Without an id the server cannot send what happened meanwhile.
  const missed = lastId === null && (since !== null || Date.now() - asked > SLOW);
  since = null;
  failures = 0;
  live.set({ state: "live" });
  if (missed) tell(null);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const silence = setTimeout(() => control.abort(), SILENCE);
    const { value, done } = await reader.read().finally(() => clearTimeout(silence));
    if (done) throw new Error("the stream has ended");
    const blocks = (rest + value).split("\n\n");
    rest = blocks.pop()!;
    blocks.forEach(take);
  }
}

/** Reads the stream until it is stopped: tries again after a pause that grows. */
async function run(): Promise<void> {
  const control = new AbortController();
  current = control;
  while (current === control) {
    const own = new AbortController();
    control.signal.addEventListener("abort", () => own.abort());
    try {
      await read(own);
    } catch {
      if (current !== control) return;
      since ??= Date.now();
      const rest = Math.min(LONGEST_PAUSE, 500 * 2 ** failures++);
      live.set({ state: "reconnecting", since, retryAt: Date.now() + rest });
      await new Promise((done) => setTimeout(done, rest));
    }
  }
}

function stop(): void {
  current?.abort();
  current = null;
}

/** Nothing is followed while no one looks; from here on, what is shown grows old. */
function pause(): void {
  stop();
  since ??= Date.now();
  live.set({ state: "reconnecting", since, retryAt: since });
}

/** Follows the server while someone is logged in and looks: a hidden tab holds no connection. */
export function startLive(): void {
  let hiding: ReturnType<typeof setTimeout> | undefined;
  let polling: ReturnType<typeof setInterval> | undefined;
  const poll = () => document.visibilityState === "visible" && tell(null);
  const adjust = () => {
    clearTimeout(hiding);
    clearInterval(polling);
    const isWanted = !!session.get() && may("runs:read");
    if (!isWanted) {
      if (session.get()) {
        polling = setInterval(poll, POLL);
        poll();
      }
      stop();
      lastId = null;
      since = null;
      live.set({ state: "off" });
    } else if (document.visibilityState === "hidden") {
      hiding = setTimeout(pause, HIDDEN_AFTER);
    } else if (!current) {
      void run();
    }
  };
  session.follow(adjust);
  document.addEventListener("visibilitychange", adjust);
  adjust();
}
