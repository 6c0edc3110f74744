import { useMutation, useQueryClient } from "@tanstack/react-query";
import { toast } from "sonner";
import { type ShownError, shownError } from "../../lib/api-error.ts";
import { useTRPC } from "../../lib/trpc.tsx";
import { changeWords } from "./change-words.ts";

/** What came of the last attempt, when it failed otherwise than by a conflict. */
export interface ApplyFailure extends ShownError {
  /** Whether the server refused, so that nothing of the attempt has stayed. */
  readonly answered: boolean;
}

export interface ApplyConfigCalls {
  readonly applying: boolean;
  readonly restoring: boolean;
  readonly failure: ApplyFailure | null;
  apply(call: { readonly text: string; readonly ifDigest: string; readonly reason: string }): void;
  restore(call: { readonly id: string; readonly ifDigest: string }): void;
  forget(): void;
}

/** Applies and restores; `onApplied` runs when the new file is known here, `onEnd` when an attempt is over. */
export function useApplyConfig(model: string, on: { onApplied: () => void; onEnd: () => void }): ApplyConfigCalls {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const refresh = () =>
    Promise.all(
      [trpc.config, trpc.models, trpc.versions, trpc.audit].map((router) =>
        queryClient.invalidateQueries({ queryKey: router.pathKey() }),
      ),
    );
  const failed = (error: unknown) => {
    on.onEnd();
    if (shownError(error).code === "CONFLICT") {
      toast.warning("Not applied: the file was changed meanwhile", {
        description: "Choose how to go on above the text.",
      });
    }
    return refresh();
  };
  const succeeded = (words: string) => async (applied: Applied) => {
    on.onEnd();
    const remarks = applied.warnings.map(({ message }) => message).join(" · ");
    if (remarks === "") toast.success(words, { description: changeWords(applied.change) });
    else toast.warning(`${words}, with remarks`, { description: remarks });
    await refresh();
    on.onApplied();
  };
  const apply = useMutation(
    trpc.config.save.mutationOptions({ onSuccess: succeeded(`${model} is configured`), onError: failed }),
  );
  const restore = useMutation(
    trpc.config.restore.mutationOptions({ onSuccess: succeeded("The configuration is restored"), onError: failed }),
  );
  const error = apply.error ?? restore.error;
  return {
    applying: apply.isPending,
    restoring: restore.isPending,
    failure: error === null ? null : failureOf(error),
    apply: ({ text, ifDigest, reason }) => {
      restore.reset();
      apply.mutate({ name: model, text, ifDigest, ...(reason === "" ? {} : { reason }) });
    },
    restore: ({ id, ifDigest }) => {
      apply.reset();
      restore.mutate({ name: model, id, ifDigest });
    },
    forget: () => {
      apply.reset();
      restore.reset();
    },
  };
}

interface Applied {
  readonly warnings: readonly { readonly message: string }[];
  readonly change: Parameters<typeof changeWords>[0];
}

function failureOf(error: unknown): ApplyFailure | null {
  const shown = shownError(error);
  if (shown.code === "CONFLICT") return null;
  return { ...shown, answered: !UNSURE.has(shown.code) };
}

/** Failures that do not tell whether the change was made. */
const UNSURE = new Set(["OFFLINE", "UNKNOWN", "SERVICE_UNAVAILABLE", "TIMEOUT", "GATEWAY_TIMEOUT", "BAD_GATEWAY"]).add(
  "INTERNAL_SERVER_ERROR",
);
