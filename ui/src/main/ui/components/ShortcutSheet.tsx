import { shortcuts } from "../core/keys.ts";
import { useStore } from "../core/store.ts";
import { text } from "../text.ts";
import { Dialog } from "./Dialog.tsx";

export function ShortcutSheet({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={text.keys.title} onClose={onClose}>
      <dl class="keys">
        {useStore(shortcuts).map((one) => (
          <div key={one.keys}>
            <dt>
              {one.keys.split(" ").map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{one.does}</dd>
          </div>
        ))}
      </dl>
      <div class="dialog-actions">
        <button type="button" class="button" onClick={onClose}>
          {text.dialog.close}
        </button>
      </div>
    </Dialog>
  );
}
