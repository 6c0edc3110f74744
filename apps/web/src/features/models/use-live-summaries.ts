import type { ModelSummary, SummariesEvent } from "@nereid/services";
import { useSubscription } from "@trpc/tanstack-react-query";
import { useTRPC } from "../../lib/trpc.tsx";
import { useStreamErrorCode } from "../../lib/use-stream-error-code.ts";
import type { LiveFacts } from "../shell/live-notice.ts";

export interface LiveSummaries {
  /** Figures of models with recent traffic, by name; undefined before the first event. */
  readonly byModel: ReadonlyMap<string, ModelSummary> | undefined;
  readonly facts: LiveFacts;
  restart(): void;
}

/** The page's one live stream: figures of all models, every second. */
export function useLiveSummaries(): LiveSummaries {
  const trpc = useTRPC();
  const stream = useSubscription(trpc.metrics.summaries.subscriptionOptions());
  const errorCode = useStreamErrorCode(stream.error);
  const event: SummariesEvent | undefined = stream.data?.data;
  return {
    byModel: event?.t == null ? undefined : new Map(event.models.map((model) => [model.model, model])),
    facts: {
      stream: stream.status,
      hadData: event !== undefined,
      connection: event?.connection,
      errorCode,
    },
    restart: stream.reset,
  };
}
