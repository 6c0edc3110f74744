import type { Draft } from "@nereid/client";
import { cn } from "@nereid/ui";
import { Check } from "lucide-react";

const STEPS = ["Upload", "Check", "Review", "Published"] as const;

/** Which step a draft is at, from 0. */
export function stepOf(draft: Pick<Draft, "state" | "report"> | undefined, published: boolean): number {
  if (published || draft?.state === "published") return 3;
  if (draft === undefined || (draft.state === "open" && draft.report === null)) return 0;
  return draft.state === "checking" ? 1 : 2;
}

/** The way of a deployment, with what is behind and what is ahead. */
export function DeploySteps({ current }: { readonly current: number }) {
  return (
    <ol aria-label="Steps" className="flex flex-wrap items-center gap-x-4 gap-y-1 text-[0.929rem]">
      {STEPS.map((step, index) => (
        <li
          key={step}
          aria-current={index === current ? "step" : undefined}
          className={cn("flex items-center gap-1.5", index === current ? "font-semibold text-ink" : "text-ink-soft")}
        >
          <span
            aria-hidden
            className={cn(
              "grid size-5 place-items-center rounded-full border text-[0.75rem]",
              index < current && "border-ok text-ok",
              index === current && "border-accent bg-accent text-accent-ink",
            )}
          >
            {index < current ? <Check className="size-3" /> : index + 1}
          </span>
          {step}
          {index < current ? <span className="sr-only">done</span> : null}
        </li>
      ))}
    </ol>
  );
}
