import type { FixtureRecord, ModelDetail, TryRequest, TryResult } from "@nereid/services";
import { useMutation } from "@tanstack/react-query";
import { useQueryStates } from "nuqs";
import { useEffect, useMemo, useState } from "react";
import { toast } from "sonner";
import { shownError } from "../../lib/api-error.ts";
import { useTRPC } from "../../lib/trpc.tsx";
import { useNode } from "../nodes/node-context.tsx";
import { firstDraft, type InputDraft, kindsOf } from "./draft.ts";
import { draftOfTensor } from "./from-request.ts";
import { type MadeInput, makeInput } from "./make-input.ts";
import { type ReadParameters, readParameters } from "./read-parameters.ts";
import { playgroundSearchParams, readInputs, writeInputs } from "./search-params.ts";
import { readKept, type Try, withTry, writeKept } from "./session-store.ts";

type Signature = NonNullable<ModelDetail["signature"]>;

const MOST_REPEATS = 100;
const MOST_CLASSES = 1000;

/** The form's state: the small part in the address, the rest kept by the browser for the session; and what it takes to send it. */
export function usePlayground(model: string, signature: Signature) {
  const trpc = useTRPC();
  const { id } = useNode();
  const key = `nereid-playground ${id ?? "local"} ${model}`;
  const [params, setParams] = useQueryStates(playgroundSearchParams);
  const [kept] = useState(() => readKept(key));
  const [drafts, setDrafts] = useState(() => firstDrafts(signature, kept.drafts, params.inputs));
  const [parameters, setParameters] = useState(kept.parameters);
  const [tries, setTries] = useState(kept.tries);
  const [shown, setShown] = useState<{ readonly result: TryResult; readonly browserMs: number } | null>(null);
  useEffect(() => writeKept(key, { drafts, parameters, tries }), [key, drafts, parameters, tries]);

  const made = useMemo(
    () => signature.inputs.map((input, index) => makeInput(input, drafts[index] ?? firstDraft(input))),
    [signature, drafts],
  );
  const read = useMemo(() => readParameters(parameters), [parameters]);
  const request = useMemo(() => requestOf(made, read, params), [made, read, params]);

  const change = (index: number, draft: InputDraft) => {
    const next = drafts.map((old, at) => (at === index ? draft : old));
    setDrafts(next);
    void setParams({ inputs: writeInputs(next) });
  };
  const restore = (one: Pick<Try, "drafts" | "parameters" | "protocol" | "version" | "classes">) => {
    setDrafts(one.drafts);
    setParameters(one.parameters);
    const { protocol, version, classes } = one;
    void setParams({ protocol, version, classes, inputs: writeInputs(one.drafts) }, { history: "push" });
  };
  const mutation = useMutation(
    trpc.playground.send.mutationOptions({
      onError: (error) => {
        const { message, fix } = shownError(error);
        toast.error(message, { duration: 12_000, ...(fix !== null && { description: fix }) });
      },
    }),
  );
  const send = async (
    wanted: TryRequest,
    { repeat, from }: { repeat: number; from: Omit<Try, "at" | "wholeMs" | "failure"> },
  ) => {
    const startedAt = performance.now();
    // A failure has been told by the mutation.
    const result = await mutation.mutateAsync({ model, repeat, ...wanted }).catch(() => null);
    if (result === null) return;
    setShown({ result, browserMs: performance.now() - startedAt });
    const one = { ...from, at: Date.now(), wholeMs: result.wholeMs, failure: result.failure?.code ?? null };
    setTries((before) => withTry(before, one));
  };
  return {
    params,
    setParams,
    drafts,
    parameters,
    setParameters,
    parametersProblem: read.kind === "wrong" ? read.problem : null,
    tries,
    problems: made.map((one) => (one.kind === "wrong" ? one.problem : null)),
    /** Null while the form has mistakes. */
    request,
    shown,
    sending: mutation.isPending,
    change,
    restore,
    send: () => {
      if (request === null) return;
      const { protocol, version } = params;
      const from = { protocol, version, classes: request.classification, drafts, parameters };
      void send(request, { repeat: Math.min(MOST_REPEATS, Math.max(1, params.repeat)), from });
    },
    run: ({ request: wanted }: FixtureRecord) => {
      const next = signature.inputs.map((input) =>
        draftOfTensor(
          input,
          wanted.inputs.find(({ name }) => name === input.name),
        ),
      );
      const words = Object.keys(wanted.parameters).length === 0 ? "" : JSON.stringify(wanted.parameters);
      const { protocol, version = null, classification: classes } = wanted;
      const from = { protocol, version, classes, drafts: next, parameters: words };
      restore(from);
      void send(wanted, { repeat: 1, from });
    },
  };
}

function firstDrafts(
  { inputs }: Signature,
  kept: readonly InputDraft[],
  address: string | null,
): readonly InputDraft[] {
  const told = readInputs(address);
  return inputs.map((input, index) => {
    const old = kept[index];
    const usable =
      old !== undefined && kindsOf(input).includes(old.kind) && old.shape.length === input.shape.length
        ? old
        : firstDraft(input);
    const said = told[index];
    if (said === undefined || said === null || !kindsOf(input).includes(said.kind))
      return withFixed(usable, input.shape);
    const shape = said.shape.length === input.shape.length ? said.shape : usable.shape;
    return withFixed({ ...usable, kind: said.kind, shape }, input.shape);
  });
}

/** Dimensions that are not free are what the model says. */
function withFixed(draft: InputDraft, signature: readonly number[]): InputDraft {
  return {
    ...draft,
    shape: draft.shape.map((size, axis) => ((signature[axis] ?? -1) < 0 ? size : (signature[axis] ?? size))),
  };
}

function requestOf(
  made: readonly MadeInput[],
  read: ReadParameters,
  params: { readonly version: string | null; readonly protocol: "http" | "grpc"; readonly classes: number },
): TryRequest | null {
  const inputs = made.flatMap((one) => (one.kind === "made" ? [one.tensor] : []));
  if (inputs.length < made.length || read.kind === "wrong") return null;
  return {
    protocol: params.protocol,
    inputs,
    classification: Math.min(MOST_CLASSES, Math.max(0, params.classes)),
    parameters: read.parameters,
    ...(params.version !== null && /^\d+$/.test(params.version) && { version: params.version }),
  };
}
