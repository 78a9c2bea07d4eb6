import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";

interface Shown {
  title: string;
  onClose: () => void;
  /** Whether nothing closes it for now. */
  isHeld?: boolean;
  /** Whether a click beside it does not close it, because something would be lost. */
  isKept?: boolean;
  children: ComponentChildren;
}

/** A native dialog: it holds the focus, and Escape closes it, and so does a click beside it. */
export function Dialog({ title, onClose, isHeld, isKept, children }: Shown) {
  const element = useRef<HTMLDialogElement>(null);
  const isPressedBeside = useRef(false); // a text that is selected may end beside it
  const id = useId();
  useLayoutEffect(() => element.current?.showModal(), []); // at once: an Escape that follows the click closes it
  return (
    <dialog
      ref={element}
      class="dialog"
      aria-labelledby={id}
      onClose={() => (isHeld ? element.current?.showModal() : onClose())} // a browser closes it at the second Escape
      onCancel={(event) => isHeld && event.preventDefault()}
      onPointerDown={(event) => (isPressedBeside.current = event.target === event.currentTarget)}
      onClick={(event) => event.target === event.currentTarget && isPressedBeside.current && !isHeld && !isKept && event.currentTarget.close()}
    >
      <div class="dialog-body">
        <h2 id={id}>{title}</h2>
        {children}
      </div>
    </dialog>
  );
}
