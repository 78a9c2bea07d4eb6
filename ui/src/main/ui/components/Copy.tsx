import type { JSX } from "preact";
import { text } from "../text.ts";
import { toast } from "./Toasts.tsx";

/** Copies a text that is made when it is wanted. */
export function Copy({ label, of, class: extra }: { label: string; of: () => string | Promise<string>; class?: string }) {
  const copy = async (event: JSX.TargetedMouseEvent<HTMLButtonElement>) => {
    const button = event.currentTarget;
    try {
      await write(await of(), button);
      toast(text.copy.copied);
    } catch {
      toast(text.copy.failed, "bad");
    }
  };
  return (
    <button type="button" class={"button " + (extra ?? "")} onClick={copy}>
      {label}
    </button>
  );
}

/** A browser has no clipboard for a page that came over plain HTTP from another machine; a selected text it still copies. */
async function write(content: string, button: HTMLButtonElement): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(content);
  const area = document.createElement("textarea");
  area.className = "sr";
  area.value = content;
  button.after(area); // a dialog lets nothing outside of it have the focus
  area.select();
  const isCopied = document.execCommand("copy");
  area.remove();
  button.focus();
  if (!isCopied) throw new Error("not copied");
}
