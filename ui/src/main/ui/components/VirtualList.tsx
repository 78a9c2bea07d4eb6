import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

const SPARE = 8;
const NEAR_END = 30;

interface Shown<T> {
  items: readonly T[];
  /** The height of each row in pixels: all rows have the same. */
  rowHeight: number;
  row: (item: T, index: number) => ComponentChildren;
  keyOf: (item: T, index: number) => string;
  /** Names the list for screen readers. */
  label: string;
  /** The row that must be seen, if any. */
  selected?: number;
  /** Called when the end comes near. */
  onEnd?: () => void;
  /** Where the list was, by the browser's history: going back shows the same rows. */
  place?: string;
}

const places = new Map<string, number>();

/** A list that draws only the rows that are seen, so that its length does not matter. */
export function VirtualList<T>({ items, rowHeight, row, keyOf, label, selected, onEnd, place }: Shown<T>) {
  const element = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(place ? (places.get(place) ?? 0) : 0);
  const [height, setHeight] = useState(800);

  useEffect(() => {
    const box = element.current!;
    box.scrollTop = place ? (places.get(place) ?? 0) : 0;
    const observer = new ResizeObserver(() => setHeight(box.clientHeight));
    observer.observe(box);
    return () => observer.disconnect();
  }, [place]);

  useEffect(() => {
    const box = element.current!;
    if (selected === undefined || selected < 0) return;
    const begin = selected * rowHeight;
    if (begin < box.scrollTop) box.scrollTop = begin;
    else if (begin + rowHeight > box.scrollTop + box.clientHeight) box.scrollTop = begin + rowHeight - box.clientHeight;
  }, [selected]);

  const first = Math.max(0, Math.floor(top / rowHeight) - SPARE);
  const last = Math.min(items.length, Math.ceil((top + height) / rowHeight) + SPARE);
  useEffect(() => {
    if (onEnd && last > items.length - NEAR_END) onEnd();
  }, [last, items.length]);

  const onScroll = () => {
    const at = element.current!.scrollTop;
    if (place) places.set(place, at);
    setTop(at);
  };
  return (
    <div class="virtual" ref={element} onScroll={onScroll} tabIndex={0} role="list" aria-label={label}>
      <div class="virtual-space" style={{ height: items.length * rowHeight + "px" }} role="presentation">
        {items.slice(first, last).map((item, i) => (
          <div
            key={keyOf(item, first + i)}
            class={"virtual-row" + (first + i === selected ? " selected" : "")}
            role="listitem"
            aria-setsize={items.length}
            aria-posinset={first + i + 1}
            style={{ height: rowHeight + "px", transform: `translateY(${(first + i) * rowHeight}px)` }}
          >
            {row(item, first + i)}
          </div>
        ))}
      </div>
    </div>
  );
}
