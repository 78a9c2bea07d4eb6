import { call, problemFrom, type Answer, type ApiProblem } from "../../api/client.ts";
import { OneAtATime } from "../../api/oneAtATime.ts";
import { Store } from "../../core/store.ts";
import type { Filter } from "./filter.ts";

export type RunPage = Answer<"GET /api/runs">;
export type RunItem = RunPage["items"][number];

/** What is known of a list. */
export interface Known {
  items: readonly RunItem[];
  /** Where the list goes on; null at its end. */
  next: string | null;
  problem: ApiProblem | null;
  isLoading: boolean;
}

/** How pages and single runs are read. */
export interface RunSource {
  page: (filter: Filter, after: string | null, signal: AbortSignal) => Promise<RunPage>;
  run: (id: string) => Promise<RunItem>;
}

const PAGE = "100";
const AT_ONCE = 20;
const REFRESH_AFTER = 300;

const api: RunSource = {
  page: (filter, after, signal) => call("GET /api/runs", { query: { ...filter, payloads: "preview", limit: PAGE, ...(after ? { after } : {}) }, signal }),
  run: (id) => call("GET /api/runs/{id}", { path: { id }, query: { payloads: "preview" } }),
};

/** The runs of one filter: a list that grows by pages, and whose rows follow changes. */
export class RunList {
  readonly known = new Store<Known>({ items: [], next: null, problem: null, isLoading: true });
  private readonly asker = new OneAtATime((signal) => this.read(signal));
  private readonly changed = new Set<string>();
  private isFromStart = true;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly filter: Filter,
    private readonly from: RunSource = api,
  ) {}

  /** Reads the list from its start. */
  reload(): void {
    this.isFromStart = true;
    this.asker.ask();
  }

  /** Reads the next rows. After a failure only a person asks for them again. */
  more(): void {
    const { isLoading, next, problem } = this.known.get();
    if (!isLoading && next !== null && !problem) this.asker.ask();
  }

  /** Goes on where it failed. */
  retry(): void {
    this.isFromStart ||= this.known.get().items.length === 0;
    this.asker.ask();
  }

  /** Reads one run anew if it is in the list, and leaves its row where it is; returns whether it is. */
  refresh(id: string): boolean {
    if (!this.known.get().items.some((run) => run.id === id)) return false;
    this.changed.add(id);
    this.timer ??= setTimeout(() => void this.refreshChanged(), REFRESH_AFTER);
    return true;
  }

  /** Ends what is under way; what is known stays, for when someone comes back. */
  stop(): void {
    this.asker.stop();
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  /** A page may be empty although the list goes on: the server looked at so many runs, and none matched. */
  private async read(signal: AbortSignal): Promise<void> {
    const isFromStart = this.isFromStart;
    const before = this.known.get();
    if (!isFromStart && before.next === null) return;
    this.isFromStart = false;
    this.set({ isLoading: true, problem: null });
    let after = isFromStart ? null : before.next;
    try {
      let page: RunPage;
      do {
        page = await this.from.page(this.filter, after, signal);
        if (signal.aborted) return;
        after = page.next;
        if (!isFromStart) this.set({ next: after });
      } while (page.items.length === 0 && after !== null);
      const items = isFromStart ? page.items : [...this.known.get().items, ...page.items];
      this.set({ items, next: after, isLoading: false });
    } catch (failure) {
      if (signal.aborted) return;
      this.isFromStart ||= isFromStart;
      this.set({ problem: problemFrom(failure), isLoading: false });
    }
  }

  private async refreshChanged(): Promise<void> {
    const ids = [...this.changed].slice(0, AT_ONCE);
    ids.forEach((id) => this.changed.delete(id));
    const fresh = await Promise.all(ids.map((id) => this.from.run(id).catch(() => null)));
    const byId = new Map(fresh.flatMap((run) => (run ? [[run.id, run] as const] : [])));
    this.set({ items: this.known.get().items.map((run) => byId.get(run.id) ?? run) });
    this.timer = this.changed.size > 0 ? setTimeout(() => void this.refreshChanged(), REFRESH_AFTER) : undefined;
  }

  private set(change: Partial<Known>): void {
    this.known.update((now) => ({ ...now, ...change }));
  }
}
