"use client";

import type { ModelDetail } from "@nereid/services";
import { Button, Card, CopyAsMenu, Field, Select, Textarea, ToggleGroup, Tooltip } from "@nereid/ui";
import { useQuery } from "@tanstack/react-query";
import { downloadText } from "../../lib/download-text.ts";
import { useTRPC } from "../../lib/trpc.tsx";
import { useNode } from "../nodes/node-context.tsx";
import { useSession } from "../shell/session-context.tsx";
import { AnswerCard } from "./answer-card.tsx";
import { copyHalf, hasHalf } from "./copy-half.ts";
import { copyRequest, REQUEST_FILE } from "./copy-request.ts";
import { FixturesCard } from "./fixtures-card.tsx";
import { InputEditor } from "./input-editor.tsx";
import { TriesCard } from "./tries-card.tsx";
import { usePlayground } from "./use-playground.ts";

const PROTOCOLS = [
  { value: "http", label: "HTTP" },
  { value: "grpc", label: "gRPC" },
] as const;

const FORBIDDEN = "Your role may look but not send requests. An administrator can make you an operator.";

export interface PlaygroundFormProps {
  readonly name: string;
  readonly status: ModelDetail["status"];
  readonly signature: NonNullable<ModelDetail["signature"]>;
}

/** The request beside its answer. */
export function PlaygroundForm({ name, status, signature }: PlaygroundFormProps) {
  const allowed = useSession().permissions.includes("model.infer");
  const state = usePlayground(name, signature);
  const { params, setParams, drafts, problems, request } = state;
  const ready = status.versions.filter((version) => version.state === "READY");
  const known = params.version === null || ready.some(({ version }) => version === params.version);
  const refusal = !allowed ? FORBIDDEN : request === null ? "Mend what is marked first." : null;
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2 lg:grid-rows-[auto_1fr]">
      <div className="min-w-0">
        <Card
          flush
          title="Request"
          hint="Ctrl and Enter send it."
          actions={<CopyRequestMenu name={name} signature={signature} request={request} />}
        >
          <form
            onSubmit={(event) => {
              event.preventDefault();
              if (refusal === null && !state.sending) state.send();
            }}
            onKeyDown={(event) => {
              if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit();
            }}
          >
            {signature.inputs.map((input, index) => {
              const draft = drafts[index];
              return draft === undefined ? null : (
                <InputEditor
                  key={input.name}
                  input={input}
                  draft={draft}
                  problem={problems[index] ?? null}
                  onChange={(next) => state.change(index, next)}
                />
              );
            })}
            <div className="space-y-3 border-t px-4 py-3">
              <div className="flex flex-wrap items-end gap-3">
                <ToggleGroup
                  label="Protocol"
                  value={params.protocol}
                  options={PROTOCOLS}
                  onChange={(protocol) => void setParams({ protocol }, { history: "push" })}
                />
                <Select
                  aria-label="Version"
                  value={params.version ?? ""}
                  onChange={({ target }) => void setParams({ version: target.value || null }, { history: "push" })}
                >
                  <option value="">The server’s choice</option>
                  {ready.map(({ version }) => (
                    <option key={version} value={version}>
                      Version {version}
                    </option>
                  ))}
                  {known || params.version === null ? null : (
                    <option value={params.version}>Version {params.version} (not ready)</option>
                  )}
                </Select>
              </div>
              <div className="grid grid-cols-2 gap-3">
                <Field
                  label="Classes"
                  hint="How many of the best; 0 gives values."
                  type="number"
                  min={0}
                  max={1000}
                  value={params.classes}
                  onChange={({ target }) => void setParams({ classes: Math.trunc(target.valueAsNumber || 0) })}
                />
                <Field
                  label="Repeat"
                  hint="One after the other, 1 to 100."
                  type="number"
                  min={1}
                  max={100}
                  value={params.repeat}
                  onChange={({ target }) => void setParams({ repeat: Math.trunc(target.valueAsNumber || 1) })}
                />
              </div>
              <details>
                <summary className="min-h-6 cursor-pointer text-[0.929rem]">Parameters</summary>
                <div className="pt-2">
                  <Textarea
                    label="Parameters (JSON)"
                    rows={2}
                    className="font-mono text-[0.857rem]"
                    value={state.parameters}
                    error={state.parametersProblem ?? undefined}
                    onChange={({ target }) => state.setParameters(target.value)}
                  />
                </div>
              </details>
              {refusal === null ? (
                <Button type="submit" tone="primary" busy={state.sending}>
                  Send
                </Button>
              ) : (
                <Tooltip text={refusal}>
                  <Button tone="primary" aria-disabled>
                    Send
                  </Button>
                </Tooltip>
              )}
              {allowed ? null : <p className="text-[0.857rem] text-ink-soft">{FORBIDDEN}</p>}
            </div>
          </form>
        </Card>
      </div>
      <div className="min-w-0 space-y-4 lg:row-span-2">
        <AnswerCard model={name} result={state.shown?.result ?? null} browserMs={state.shown?.browserMs ?? 0} />
      </div>
      <div className="min-w-0 space-y-4">
        <TriesCard tries={state.tries} onRestore={state.restore} />
        <FixturesCard model={name} request={request} allowed={allowed} onRun={state.run} />
      </div>
    </div>
  );
}

type CopyProps = Pick<PlaygroundFormProps, "name" | "signature"> & {
  readonly request: ReturnType<typeof usePlayground>["request"];
};

/** The request for other hands; long ones come with a file. */
function CopyRequestMenu({ name, signature, request }: CopyProps) {
  const trpc = useTRPC();
  const { id } = useNode();
  const node = useQuery(trpc.nodes.list.queryOptions(undefined, { staleTime: 60_000 })).data?.find(
    (one) => one.id === (id ?? "local"),
  );
  if (request === null || node === undefined) return null;
  const outputs = signature.outputs.map((one) => one.name);
  const copy = { server: node.url, model: name, outputs, request };
  const half = hasHalf(request.inputs);
  const texts = half ? copyHalf(copy) : copyRequest(copy);
  if (texts === null) {
    return <span className="text-[0.857rem] text-ink-soft">Too many FP16 or BF16 values for a text to copy</span>;
  }
  return (
    <>
      <CopyAsMenu curl={texts.curl} typescript={texts.typescript} python={texts.python} cli={texts.cli} />
      {half ? null : (
        <Button size="small" tone="quiet" onClick={() => downloadText(REQUEST_FILE, "application/json", texts.json)}>
          {REQUEST_FILE}
        </Button>
      )}
    </>
  );
}
