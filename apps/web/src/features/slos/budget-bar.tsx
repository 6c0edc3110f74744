import { cn, ProgressBar } from "@nereid/ui";
import { budgetText } from "./slo-words.ts";

/** What is left of an error budget, as a bar and in words. */
export function BudgetBar({ name, left }: { readonly name: string; readonly left: number | null }) {
  const low = left !== null && left < 0.25;
  return (
    <div className="min-w-32">
      <p className={cn("text-[0.857rem]", low ? "text-bad" : "text-ink-soft")}>{budgetText(left)}</p>
      <ProgressBar
        label={`Error budget of ${name}`}
        share={left === null ? 0 : Math.max(0, left)}
        tone={low ? "bad" : "ok"}
        className="mt-1 h-1.5"
      />
    </div>
  );
}
