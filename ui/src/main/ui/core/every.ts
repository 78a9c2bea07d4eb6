import { useEffect } from "preact/hooks";

/** Does something again and again while it is wanted and the page is seen; null: it is not wanted. */
export function useEvery(millis: number | null, run: () => void): void {
  useEffect(() => {
    if (millis === null) return;
    const timer = setInterval(() => document.visibilityState === "visible" && run(), millis);
    return () => clearInterval(timer);
  }, [millis]);
}
