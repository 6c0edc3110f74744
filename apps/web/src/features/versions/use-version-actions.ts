import { useMutation, useQueryClient } from "@tanstack/react-query";
import { toast } from "sonner";
import { useTRPC } from "../../lib/trpc.tsx";
import { problem, tell } from "./change-toasts.ts";

export interface VersionActions {
  /** The version something is being done to; "*" for all of them. */
  readonly pending: string | null;
  load(version: string): void;
  unload(version: string): void;
  remove(version: string, onDone: () => void): void;
  rollBack(to?: string): void;
  followPolicy(pinned: readonly string[] | null): void;
}

/** What can be done to the versions of a model; every change ends in a toast, those that can be taken back with Undo. */
export function useVersionActions(name: string): VersionActions {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const onSettled = () =>
    Promise.all(
      [trpc.versions, trpc.models, trpc.audit].map((router) =>
        queryClient.invalidateQueries({ queryKey: router.pathKey() }),
      ),
    );
  const pin = useMutation(
    trpc.versions.pin.mutationOptions({ onSettled, onError: problem("What is served was not changed") }),
  );
  const serveAgain = (versions: readonly string[] | null) =>
    pin.mutate(
      { name, versions: versions === null ? null : [...versions] },
      { onSuccess: (done) => tell("Taken back: served as before", done) },
    );
  const load = useMutation(
    trpc.versions.load.mutationOptions({
      onSettled,
      onError: problem("The version was not loaded"),
      onSuccess: (done, { version }) =>
        tell(`Version ${version} is served`, done, () => unload.mutate({ name, version })),
    }),
  );
  const unload = useMutation(
    trpc.versions.unload.mutationOptions({
      onSettled,
      onError: problem("The version was not unloaded"),
      onSuccess: (done, { version }) =>
        tell(`Version ${version} is no longer served`, done, () => load.mutate({ name, version })),
    }),
  );
  const remove = useMutation(
    trpc.versions.remove.mutationOptions({ onSettled, onError: problem("The version was not deleted") }),
  );
  const rollback = useMutation(
    trpc.versions.rollback.mutationOptions({
      onSettled,
      onError: problem("Not rolled back; what was served goes on"),
      onSuccess: (done) => tell(`Rolled back to version ${done.to}`, done, () => serveAgain(done.undo)),
    }),
  );
  const busy = [load, unload, remove].find(({ isPending }) => isPending);
  return {
    pending: rollback.isPending || pin.isPending ? "*" : (busy?.variables?.version ?? null),
    load: (version) => load.mutate({ name, version }),
    unload: (version) => unload.mutate({ name, version }),
    remove: (version, onDone) =>
      remove.mutate(
        { name, version, confirm: `${name}/${version}` },
        {
          onSuccess: () => {
            toast.success(`Version ${version} is deleted`);
            onDone();
          },
        },
      ),
    rollBack: (to) => rollback.mutate({ name, ...(to === undefined ? {} : { to }) }),
    followPolicy: (pinned) =>
      pin.mutate(
        { name, versions: null },
        { onSuccess: (done) => tell("The version policy decides again", done, () => serveAgain(pinned)) },
      ),
  };
}
