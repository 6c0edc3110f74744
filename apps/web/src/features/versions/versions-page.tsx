"use client";

import type { VersionRow } from "@nereid/services";
import {
  Banner,
  Button,
  Card,
  ConfirmDialog,
  EmptyState,
  formatNumber,
  Skeleton,
  Tooltip,
  TypedConfirmDialog,
} from "@nereid/ui";
import { useQuery } from "@tanstack/react-query";
import { History, ListChecks } from "lucide-react";
import { useQueryStates } from "nuqs";
import { type ReactNode, useState } from "react";
import { useTRPC } from "../../lib/trpc.tsx";
import { CopyModelAction } from "../models/copy-model-action.tsx";
import { ModelFrame } from "../models/model-frame.tsx";
import { useModelDetail } from "../models/use-model-detail.ts";
import { QueryError } from "../shell/query-error.tsx";
import { useSession } from "../shell/session-context.tsx";
import { ComparisonCard } from "./comparison-card.tsx";
import { toggled, versionsSearchParams } from "./search-params.ts";
import { ShadowCard } from "./shadow-card.tsx";
import { TrafficCard } from "./traffic-card.tsx";
import { useVersionActions, type VersionActions } from "./use-version-actions.ts";
import { VersionButtons } from "./version-buttons.tsx";
import { rollbackTarget } from "./version-words.ts";
import { VersionsCards, VersionsTable } from "./versions-list.tsx";

const REFRESH_MS = 3_000;

type Question = { readonly kind: "unload" | "remove"; readonly row: VersionRow };

/** The versions of one model: what is there, what is served of it, how it does, and the way back. */
export function VersionsPage({ name }: { readonly name: string }) {
  const trpc = useTRPC();
  const query = useQuery(trpc.versions.list.queryOptions({ name }, { refetchInterval: REFRESH_MS }));
  const model = useModelDetail(name).data?.status;
  const actions = useVersionActions(name);
  const [{ compare }, setParams] = useQueryStates(versionsSearchParams);
  const [question, setQuestion] = useState<Question | null>(null);
  const rows = query.data;
  const retry = () => void query.refetch();
  const [a, b] = [...compare].sort((x, y) => Number(x) - Number(y));

  let content: ReactNode;
  if (rows === undefined) {
    content = query.isError ? (
      <QueryError error={query.error} onRetry={retry} retrying={query.isFetching} />
    ) : (
      <Skeleton className="m-4 h-48" />
    );
  } else if (rows.length === 0) {
    content = (
      <EmptyState title="No version yet">
        A version is a numbered directory with the model’s files. Deploy one, or copy it into the repository.
      </EmptyState>
    );
  } else {
    const list = {
      rows,
      chosen: compare,
      onChoose: (version: string) => void setParams({ compare: toggled(compare, version) }),
      buttonsOf: (row: VersionRow) => (
        <VersionButtons
          model={name}
          row={row}
          pending={actions.pending}
          onLoad={() => actions.load(row.version)}
          onUnload={() => setQuestion({ kind: "unload", row })}
          onRemove={() => setQuestion({ kind: "remove", row })}
        />
      ),
    };
    content = (
      <>
        <div className="hidden lg:block">
          <VersionsTable {...list} />
        </div>
        <div className="lg:hidden">
          <VersionsCards {...list} />
        </div>
      </>
    );
  }
  return (
    <ModelFrame name={name} current="versions">
      {query.isError && rows !== undefined ? (
        <Banner tone="warn">
          <span className="mr-3">The list could not be read again; it is from before.</span>
          <Button size="small" busy={query.isFetching} onClick={retry}>
            Try again
          </Button>
        </Banner>
      ) : null}
      <Card
        flush
        title="Versions"
        hint="Traffic of the last minute. Choose two to compare them."
        actions={rows === undefined ? null : <ServingButtons name={name} rows={rows} actions={actions} />}
      >
        {content}
      </Card>
      {model === undefined || rows?.length === 0 ? null : <TrafficCard model={model} />}
      {rows === undefined || rows.length === 0 ? null : <ShadowCard name={name} />}
      {a === undefined || b === undefined ? null : (
        <ComparisonCard model={name} a={a} b={b} onClose={() => void setParams({ compare: [] })} />
      )}
      <UnloadQuestion
        model={name}
        question={question}
        onClose={() => setQuestion(null)}
        actions={actions}
        rows={rows ?? []}
      />
      <TypedConfirmDialog
        open={question?.kind === "remove"}
        onOpenChange={() => setQuestion(null)}
        title={`Delete version ${question?.row.version ?? ""} of ${name}?`}
        name={`${name}/${question?.row.version ?? ""}`}
        action="Delete its files"
        busy={actions.pending !== null}
        onConfirm={() => {
          if (question !== null) actions.remove(question.row.version, () => setQuestion(null));
        }}
      >
        <p>Its files are removed from the repository for good. Download the version first if you may need it again.</p>
      </TypedConfirmDialog>
    </ModelFrame>
  );
}

interface ServingButtonsProps {
  readonly name: string;
  readonly rows: readonly VersionRow[];
  readonly actions: VersionActions;
}

/** Which versions are served: back to an earlier one, or as the configuration says. */
function ServingButtons({ name, rows, actions }: ServingButtonsProps) {
  const allowed = useSession().permissions.includes("model.load");
  const target = rollbackTarget(rows);
  const pinned = rows.filter((row) => row.pinned).map(({ version }) => version);
  const refusal = !allowed
    ? "Your role may not change what is served."
    : target === null
      ? "There is no earlier version than the one that is served."
      : null;
  return (
    <>
      {pinned.length === 0 ? null : (
        <Button
          size="small"
          disabled={!allowed || actions.pending !== null}
          title={allowed ? undefined : "Your role may not change what is served."}
          onClick={() => actions.followPolicy(pinned)}
        >
          <ListChecks aria-hidden />
          Follow the version policy again
        </Button>
      )}
      {refusal === null && target !== null ? (
        <CopyModelAction model={name} action={{ kind: "rollback", to: target }} label="Copy roll back as" />
      ) : null}
      {refusal === null ? (
        <Button
          size="small"
          busy={actions.pending === "*"}
          disabled={actions.pending !== null}
          onClick={() => actions.rollBack()}
        >
          <History aria-hidden />
          Roll back to {target}
        </Button>
      ) : (
        <Tooltip text={refusal}>
          <Button size="small" aria-disabled>
            <History aria-hidden />
            Roll back
          </Button>
        </Tooltip>
      )}
    </>
  );
}

interface UnloadQuestionProps {
  readonly model: string;
  readonly question: Question | null;
  readonly rows: readonly VersionRow[];
  readonly actions: VersionActions;
  readonly onClose: () => void;
}

function UnloadQuestion({ model, question, rows, actions, onClose }: UnloadQuestionProps) {
  const row = question?.kind === "unload" ? question.row : undefined;
  const last = rows.filter(({ state }) => state === "READY").length === 1;
  const rate = row?.traffic.requestsPerSecond ?? 0;
  return (
    <ConfirmDialog
      open={row !== undefined}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={`Unload version ${row?.version ?? ""} of ${model}?`}
      action="Unload it"
      onConfirm={() => {
        if (row !== undefined) actions.unload(row.version);
      }}
    >
      <p>
        Requests that are running finish; new ones for this version are refused.
        {last ? " It is the only one that is served, so the whole model is unloaded." : null}
      </p>
      {rate > 0 ? (
        <p className="font-medium text-bad">It is serving {formatNumber(rate)} requests per second right now.</p>
      ) : null}
    </ConfirmDialog>
  );
}
