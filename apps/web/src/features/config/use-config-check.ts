import type { ConfigChange, GraphSummary } from "@nereid/client";
import { diagnoseConfig } from "@nereid/model-config";
import type { EditorFinding } from "@nereid/ui/config-editor";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useDeferredValue, useEffect, useMemo, useState } from "react";
import { useTRPC, useTRPCClient } from "../../lib/trpc.tsx";

/** How long the keyboard must rest before the server is asked, in milliseconds. */
const REST_MS = 500;

/** A finding with its place in the text. */
export type ConfigFinding = EditorFinding & { readonly line: number; readonly column: number };

export interface ConfigChecked {
  /** Findings and the text they are about. */
  readonly diagnosis: { readonly text: string; readonly diagnostics: readonly ConfigFinding[] };
  readonly effective: string | null;
  readonly change: ConfigChange | null;
  /** Whether the server has looked at the present text. */
  readonly confirmed: boolean;
  readonly error: unknown;
}

const RETRY_MS = 3_000;

/**
 * What is to be said about a text: at once by the same checks in the browser, and by the server, which also knows its devices, as
 * soon as the keyboard rests.
 */
export function useConfigCheck(model: string, text: string, graph: GraphSummary | null): ConfigChecked {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const rested = useRested(text);
  const shown = useDeferredValue(text);
  const local = useMemo(
    () => ({ text: shown, diagnostics: diagnoseConfig({ text: shown, modelName: model, graph }) }),
    [shown, model, graph],
  );
  const check = useQuery({
    queryKey: [...trpc.config.check.mutationKey(), model, rested],
    queryFn: ({ signal }) => client.config.check.mutate({ name: model, text: rested }, { signal }),
    // A server that did not answer is asked again: nobody should have to type for it.
    refetchInterval: ({ state }) => (state.status === "error" ? RETRY_MS : false),
    placeholderData: keepPreviousData,
    retry: false,
  });
  const confirmed = check.data !== undefined && !check.isPlaceholderData && rested === text;
  return {
    diagnosis: confirmed ? { text, diagnostics: check.data.diagnostics } : local,
    effective: check.data?.effective ?? null,
    change: confirmed ? check.data.change : null,
    confirmed,
    error: check.error,
  };
}

function useRested(text: string): string {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), REST_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return rested;
}
