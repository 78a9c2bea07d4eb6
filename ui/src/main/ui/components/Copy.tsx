import { text } from "../text.ts";
import { toast } from "./Toasts.tsx";

/** Copies a text that is made when it is wanted. */
export function Copy({ label, of, class: extra }: { label: string; of: () => string | Promise<string>; class?: string }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(await of());
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
