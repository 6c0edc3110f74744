import { toast } from "sonner";
import { shownError } from "../../lib/api-error.ts";

/** How long an Undo is offered, in milliseconds. */
const UNDO_MS = 15_000;

interface Outcome {
  readonly warnings: readonly { readonly message: string }[];
}

/** Tells of a failure, with what to do about it. */
export function problem(title: string) {
  return (error: unknown) => {
    const { message, fix } = shownError(error);
    toast.error(title, { description: fix === null ? message : `${message} – ${fix}`, duration: 12_000 });
  };
}

/** Tells of a success: with the remarks it came with, and with a way back. */
export function tell(words: string, { warnings }: Outcome, undo?: () => void): void {
  const action = undo === undefined ? {} : { action: { label: "Undo", onClick: undo }, duration: UNDO_MS };
  const description = warnings.map(({ message }) => message).join(" · ");
  if (description === "") toast.success(words, action);
  else toast.warning(`${words}, with remarks`, { description, ...action });
}
