import { cn } from "../cn.ts";

/** The name with its shell: three arcs of a nautilus. */
export function Wordmark({ className }: { readonly className?: string }) {
  return (
    <span className={cn("inline-flex items-center gap-2 font-semibold text-base tracking-tight", className)}>
      <svg
        aria-hidden="true"
        viewBox="0 0 24 24"
        className="size-6"
        fill="none"
        stroke="currentColor"
        strokeLinecap="round"
      >
        <path
          d="M20.5 12.5a8.5 8.5 0 1 1-8.5-8.5c5 0 7 3.4 7 6.4 0 3.4-2.6 5.4-5.4 5.4-2.5 0-4.4-1.7-4.4-4 0-1.9 1.4-3.2 3.1-3.2 1.4 0 2.4 1 2.4 2.2"
          strokeWidth="1.9"
        />
        <path d="M12 4v4.6M5.9 8.2l4.2 2.2M6.2 17.6l4-3" strokeWidth="1.3" opacity="0.6" />
      </svg>
      Nereid
    </span>
  );
}
