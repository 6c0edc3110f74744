import { cn } from "../cn.ts";

export interface ProgressBarProps {
  readonly label: string;
  /** Part that is done, 0 to 1; null while it is not known. */
  readonly share: number | null;
  readonly tone?: "accent" | "ok" | "bad";
  readonly className?: string;
}

const FILL = { accent: "bg-accent", ok: "bg-ok", bad: "bg-bad" } as const;

/** How far something is. */
export function ProgressBar({ label, share, tone = "accent", className }: ProgressBarProps) {
  const percent = share === null ? null : Math.round(Math.min(1, Math.max(0, share)) * 100);
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      {...(percent === null ? {} : { "aria-valuenow": percent })}
      className={cn("h-2 w-full overflow-hidden rounded-full bg-raised", className)}
    >
      <div
        className={cn("h-full rounded-full transition-[width]", FILL[tone], percent === null && "w-1/3 animate-pulse")}
        style={percent === null ? undefined : { width: `${percent}%` }}
      />
    </div>
  );
}
