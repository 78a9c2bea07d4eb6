import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** Actions that are used less, behind one button. It closes after a choice, at Escape and at a click elsewhere. */
export function Menu({ label, children }: { label: string; children: ComponentChildren }) {
  const box = useRef<HTMLDetailsElement>(null);
  const close = () => {
    if (box.current) box.current.open = false;
  };
  useEffect(() => {
    const away = (event: Event) => {
      if (!box.current?.contains(event.target as Node)) close();
    };
    document.addEventListener("pointerdown", away);
    return () => document.removeEventListener("pointerdown", away);
  }, []);
  return (
    <details class="menu more-menu" ref={box} onKeyDown={(event) => event.key === "Escape" && close()}>
      <summary class="button" aria-label={label} title={label}>
        ⋯
      </summary>
      <div class="menu-body" onClick={close}>
        {children}
      </div>
    </details>
  );
}
