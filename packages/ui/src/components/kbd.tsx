import type { ReactNode } from "react";

/** A key to press. */
export function Kbd({ children }: { readonly children: ReactNode }) {
  return (
    <kbd className="inline-flex min-w-5 items-center justify-center rounded-sm border bg-raised px-1 font-mono text-[0.786rem] text-ink-soft">
      {children}
    </kbd>
  );
}
