import { useEffect, useRef, useState } from "preact/hooks";
import { call, problemFrom, type ApiProblem } from "../../api/client.ts";
import { useLive } from "../../api/live.ts";
import { Timeline } from "./timeline.ts";

export interface Read {
  timeline: Timeline;
  /** Rises whenever rows have come or changed. */
  version: number;
  isWhole: boolean;
  problem: ApiProblem | null;
  again: () => void;
}

const PAGE = "200";
/** How often new rows are drawn while a history is read: many rows take longer to place. */
const DRAW_EVERY = 250;
const AFTER = 300;

/** Reads the history of a run: the first page is shown at once, the others follow, and so does what happens. */
export function useTimeline(id: string): Read {
  const state = useRef({ id: "", timeline: new Timeline(), cursor: null as string | null, isReading: false, isWanted: false });
  const [version, draw] = useState(0);
  const [isWhole, setWhole] = useState(false);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  if (state.current.id !== id) state.current = { id, timeline: new Timeline(), cursor: null, isReading: false, isWanted: false };

  const read = async () => {
    const own = state.current;
    if (own.isReading) {
      own.isWanted = true;
      return;
    }
    own.isReading = true;
    setProblem(null);
    let drawn = 0;
    try {
      do {
        own.isWanted = false;
        for (;;) {
          const page = await call("GET /api/runs/{id}/history", {
            path: { id },
            query: { limit: PAGE, ...(own.cursor ? { after: own.cursor } : {}) },
          });
          if (state.current !== own) return;
          own.timeline.add(page.items);
          if (!page.next) break; // the last page is read again when something happens
          own.cursor = page.next;
          if (performance.now() - drawn > DRAW_EVERY + own.timeline.rows.length / 8) {
            drawn = performance.now();
            draw((n) => n + 1);
          }
        }
      } while (own.isWanted);
      setWhole(true);
      setProblem(null);
    } catch (failure) {
      if (state.current !== own) return;
      setProblem(problemFrom(failure));
    } finally {
      own.isReading = false;
    }
    draw((n) => n + 1);
  };

  useEffect(() => {
    setWhole(false);
    setProblem(null);
    void read();
    return () => {
      clearTimeout(timer.current);
      timer.current = undefined;
      state.current = { ...state.current, id: "" };
    };
  }, [id]);
  useLive(
    (event) => {
      if (event && event.run !== id) return;
      timer.current ??= setTimeout(() => {
        timer.current = undefined;
        void read();
      }, AFTER);
    },
    [id],
  );
  return { timeline: state.current.timeline, version, isWhole, problem, again: () => void read() };
}
