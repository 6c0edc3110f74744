import type { Draft } from "@nereid/client";
import type { DroppedFile } from "@nereid/ui";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useQueryStates } from "nuqs";
import { useEffect, useEffectEvent } from "react";
import { toast } from "sonner";
import { shownError } from "../../lib/api-error.ts";
import { useTRPC } from "../../lib/trpc.tsx";
import { deployParams } from "./search-params.ts";
import { allDone } from "./upload-state.ts";
import { useUploads } from "./use-uploads.ts";

const ASK_EVERY_MS = 600;

export interface Target {
  readonly model: string;
  readonly version: string;
}

/** One draft from the drop to the publication: what is known of it, and what can be done. */
export function useDeploy() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [{ draft: id }, setParams] = useQueryStates(deployParams, { history: "push" });
  const query = useQuery(
    trpc.deploy.get.queryOptions(
      { id: id ?? "" },
      {
        enabled: id !== null,
        retry: false,
        refetchInterval: ({ state }) => (isBusy(state.data) ? ASK_EVERY_MS : false),
      },
    ),
  );
  const draft = id === null ? undefined : query.data;
  const uploads = useUploads(draft);
  const remember = (next: Draft) => queryClient.setQueryData(trpc.deploy.get.queryKey({ id: next.id }), next);
  const refresh = () => queryClient.invalidateQueries({ queryKey: trpc.deploy.pathKey() });
  const failed = (error: unknown) => {
    const { message, fix } = shownError(error);
    toast.error(message, { duration: 12_000, ...(fix !== null && { description: fix }) });
  };

  const open = useMutation(trpc.deploy.open.mutationOptions({ onSuccess: remember, onError: failed }));
  const check = useMutation(trpc.deploy.check.mutationOptions({ onSuccess: remember, onError: failed }));
  const edit = useMutation(trpc.deploy.edit.mutationOptions({ onSuccess: remember, onError: failed }));
  const discard = useMutation(trpc.deploy.discard.mutationOptions({ onSettled: refresh, onError: failed }));
  const publish = useMutation(
    trpc.deploy.publish.mutationOptions({
      onSettled: () => Promise.all([refresh(), queryClient.invalidateQueries({ queryKey: trpc.models.pathKey() })]),
      onError: failed,
    }),
  );

  const complete = allDone(uploads.list);
  const startCheck = useEffectEvent(() => {
    if (draft?.state === "open" && draft.report === null && !check.isPending) check.mutate({ id: draft.id });
  });
  // The moment the last byte is verified is an event of the network, not of the page.
  useEffect(() => {
    if (complete) startCheck();
  }, [complete]);

  return {
    id,
    draft,
    query,
    uploads,
    publish,
    checking: check.isPending || draft?.state === "checking",
    busy: open.isPending || edit.isPending || check.isPending || publish.isPending,
    check: () => draft !== undefined && check.mutate({ id: draft.id }),
    /** Opens a draft and sends the files. */
    async begin(files: readonly DroppedFile[], { model, version }: Target) {
      const opened = await open.mutateAsync({
        ...(model !== "" && { model }),
        ...(version !== "" && { version }),
      });
      await setParams({ draft: opened.id });
      uploads.send(opened, files);
    },
    /** Changes what the draft is to become, and checks it again. */
    async change(patch: { model?: string | null; version?: string | null; configText?: string | null }) {
      if (draft === undefined) return;
      await edit.mutateAsync({ id: draft.id, ...patch });
      check.mutate({ id: draft.id });
    },
    async throwAway() {
      uploads.cancelAll();
      if (id !== null) await discard.mutateAsync({ id }).catch(() => undefined);
      await setParams({ draft: null });
    },
    leave: () => setParams({ draft: null }),
    show: (next: string) => setParams({ draft: next }),
  };
}

export type Deploy = ReturnType<typeof useDeploy>;

function isBusy(draft: Draft | undefined): boolean {
  return draft?.state === "checking" || draft?.state === "publishing";
}
