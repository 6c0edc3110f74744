import { type RefObject, useRef } from "react";

/** The dimmed page behind a dialog or sheet. */
export const OVERLAY = "fixed inset-0 z-50 bg-[oklch(0.12_0.03_245/0.6)] backdrop-blur-[2px]";

export interface FocusReturn {
  onOpenAutoFocus(): void;
  onCloseAutoFocus(event: Event): void;
}

/** Gives the focus back to what had it: a dialog without a trigger of its own would leave it nowhere. */
export function useFocusReturn(): FocusReturn {
  const opener: RefObject<Element | null> = useRef(null);
  return {
    onOpenAutoFocus: () => {
      opener.current = document.activeElement;
    },
    onCloseAutoFocus: (event) => {
      event.preventDefault();
      if (opener.current instanceof HTMLElement) opener.current.focus();
    },
  };
}
