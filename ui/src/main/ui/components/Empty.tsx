import type { ComponentChildren } from "preact";
import { Copy } from "./Copy.tsx";
import { text } from "../text.ts";

/** Says that there is nothing, why that may be, and the command to run next. */
export function Empty({ title, hint, command, children }: { title: string; hint?: string; command?: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {hint && <p>{hint}</p>}
      {command && (
        <p class="command">
          <code>{command}</code>
          <Copy label={text.copy.value} of={() => command} class="small" />
        </p>
      )}
      {children}
    </div>
  );
}
