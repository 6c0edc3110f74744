"use client";

import type { ModelConfigState } from "@nereid/client";
import { Banner } from "@nereid/ui";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { toast } from "sonner";
import { shownError } from "../../lib/api-error.ts";
import { useTRPC, useTRPCClient } from "../../lib/trpc.tsx";
import { ApplyDialog } from "../config/apply-dialog.tsx";
import { changeWords } from "../config/change-words.ts";

export interface ConfigChangeProps {
  readonly model: string;
  readonly served: Pick<ModelConfigState, "text" | "digest">;
  /** The text to apply; null while nothing is proposed. */
  readonly text: string | null;
  readonly onClose: () => void;
}

/** Shows what a changed configuration differs in and does, applies it, and offers to take it back. */
export function ConfigChange({ model, served, text, onClose }: ConfigChangeProps) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const check = useQuery({
    queryKey: [...trpc.config.check.mutationKey(), model, text],
    queryFn: ({ signal }) => client.config.check.mutate({ name: model, text: text ?? "" }, { signal }),
    enabled: text !== null,
    retry: false,
  });
  const refresh = () =>
    Promise.all(
      [trpc.config, trpc.models, trpc.batching, trpc.shapes, trpc.audit].map((router) =>
        queryClient.invalidateQueries({ queryKey: router.pathKey() }),
      ),
    );
  const undo = useMutation(
    trpc.config.save.mutationOptions({
      onSuccess: () => {
        toast.success(`${model} is configured as before`);
        return refresh();
      },
      onError: (error) => {
        toast.error("It could not be undone", { description: shownError(error).message });
        return refresh();
      },
    }),
  );
  const apply = useMutation(
    trpc.config.save.mutationOptions({
      onSuccess: ({ digest, change }) => {
        onClose();
        toast.success(`${model} is configured`, {
          description: changeWords(change),
          action: {
            label: "Undo",
            onClick: () => undo.mutate({ name: model, text: served.text, ifDigest: digest, reason: "Undo" }),
          },
        });
        return refresh();
      },
      onError: () => refresh(),
    }),
  );
  const errors = (check.data?.diagnostics ?? []).filter(({ severity }) => severity === "error");
  const failure = apply.error === null ? null : shownError(apply.error);
  const problem = failure?.message ?? errors[0]?.message ?? null;
  return (
    <>
      {problem === null ? null : (
        <Banner tone="bad">
          Not applied: {problem}
          {failure?.fix === null || failure === null ? null : ` Try this: ${failure.fix}.`}
        </Banner>
      )}
      <ApplyDialog
        open={text !== null}
        onOpenChange={(open) => {
          if (!open) onClose();
        }}
        model={model}
        served={served}
        text={text ?? served.text}
        change={check.data?.change ?? null}
        busy={apply.isPending}
        onApply={(reason) => {
          if (text === null) return;
          if (errors.length > 0) onClose();
          else apply.mutate({ name: model, text, ifDigest: served.digest, ...(reason === "" ? {} : { reason }) });
        }}
      />
    </>
  );
}
