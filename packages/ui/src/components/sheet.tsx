import { DialogPanel, type DialogPanelProps } from "./dialog-panel.tsx";

/** A panel at the right edge, for details of something in the page behind it. */
export function Sheet(props: DialogPanelProps) {
  return (
    <DialogPanel
      {...props}
      className="fixed inset-y-0 right-0 z-50 flex w-[min(36rem,100vw)] flex-col border-l bg-panel text-ink shadow-2xl"
    />
  );
}
