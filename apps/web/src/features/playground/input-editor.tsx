"use client";

import type { TensorSignature } from "@nereid/services";
import { Button, Field, Select, Textarea } from "@nereid/ui";
import { useState } from "react";
import { type ImageSettings, type InputDraft, type InputKind, kindsOf } from "./draft.ts";
import { readChosenFile } from "./read-file.ts";

export interface InputEditorProps {
  readonly input: TensorSignature;
  readonly draft: InputDraft;
  /** What is wrong with it; null when nothing is. */
  readonly problem: string | null;
  readonly onChange: (draft: InputDraft) => void;
}

const KINDS: Readonly<Record<InputKind, string>> = {
  values: "Values (JSON)",
  random: "Random",
  zeros: "Zeros",
  text: "Text, one string a line",
  file: "File (raw bytes)",
  image: "Picture",
  audio: "Sound",
};

/** What one input is made of: kind, sizes, and what the kind needs. */
export function InputEditor({ input, draft, problem, onChange }: InputEditorProps) {
  const change = (part: Partial<InputDraft>) => onChange({ ...draft, ...part });
  const kinds = kindsOf(input);
  return (
    <fieldset className="min-w-0 space-y-3 border-t px-4 py-3 first:border-t-0">
      <legend className="sr-only">{input.name}</legend>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="min-w-0 [overflow-wrap:anywhere]">
          <span className="font-mono font-semibold">{input.name}</span>{" "}
          <span className="font-mono text-[0.857rem] text-ink-soft">{input.datatype}</span>
        </p>
        <Select
          aria-label={`Kind of ${input.name}`}
          value={draft.kind}
          onChange={({ target }) => {
            const kind = kinds.find((one) => one === target.value);
            if (kind !== undefined) change({ kind, file: null });
          }}
        >
          {kinds.map((kind) => (
            <option key={kind} value={kind}>
              {KINDS[kind]}
            </option>
          ))}
        </Select>
      </div>
      <Sizes input={input} draft={draft} onChange={(shape) => change({ shape })} />
      <KindFields input={input} draft={draft} problem={problem} change={change} />
      {problem === null || draft.kind === "values" || draft.kind === "text" ? null : (
        <p role="alert" className="text-[0.857rem] text-bad">
          {problem}
        </p>
      )}
    </fieldset>
  );
}

interface SizesProps {
  readonly input: TensorSignature;
  readonly draft: InputDraft;
  readonly onChange: (shape: readonly number[]) => void;
}

/** The dimensions: fixed ones as they are, free ones as numbers to choose. */
function Sizes({ input, draft, onChange }: SizesProps) {
  return (
    <p className="flex flex-wrap items-center gap-x-1.5 gap-y-2 text-[0.857rem] text-ink-soft">
      Shape
      {input.shape.map((size, axis) => (
        // The place of a dimension is what it is.
        // biome-ignore lint/suspicious/noArrayIndexKey: dimensions have no other name
        <span key={axis} className="inline-flex items-center gap-1.5">
          {axis === 0 ? null : <span aria-hidden>×</span>}
          {size < 0 ? (
            <input
              type="number"
              min={0}
              aria-label={axis === 0 ? `First size of ${input.name}, the batch` : `Size ${axis + 1} of ${input.name}`}
              className="h-8 w-20 rounded-md border border-line-strong/70 bg-bg px-2 font-mono text-ink"
              value={draft.shape[axis] ?? 0}
              onChange={({ target }) =>
                onChange(
                  draft.shape.map((old, at) =>
                    at === axis ? Math.max(0, Math.trunc(target.valueAsNumber || 0)) : old,
                  ),
                )
              }
            />
          ) : (
            <span className="font-mono text-ink">{size}</span>
          )}
        </span>
      ))}
      {input.shape.length === 0 ? <span className="font-mono text-ink">a single value</span> : null}
    </p>
  );
}

interface KindFieldsProps {
  readonly input: TensorSignature;
  readonly draft: InputDraft;
  readonly problem: string | null;
  readonly change: (part: Partial<InputDraft>) => void;
}

function KindFields({ input, draft, problem, change }: KindFieldsProps) {
  switch (draft.kind) {
    case "zeros":
      return null;
    case "values":
    case "text":
      return (
        <Textarea
          label={draft.kind === "text" ? `Text of ${input.name}` : `Values of ${input.name}`}
          rows={4}
          className="font-mono text-[0.857rem]"
          value={draft.text}
          error={problem ?? undefined}
          spellCheck={false}
          onChange={({ target }) => change({ text: target.value })}
        />
      );
    case "random":
      return (
        <div className="grid grid-cols-3 gap-2">
          {(["min", "max", "seed"] as const).map((name) => (
            <Field
              key={name}
              label={{ min: "From", max: "To", seed: "Seed" }[name]}
              type="number"
              step="any"
              value={Number.isNaN(draft[name]) ? "" : draft[name]}
              onChange={({ target }) => change({ [name]: target.valueAsNumber })}
            />
          ))}
        </div>
      );
    case "image":
      return (
        <>
          <FileChoice input={input} draft={draft} change={change} accept="image/*" word="picture" />
          <ImageFields image={draft.image} onChange={(image) => change({ image })} />
        </>
      );
    case "audio":
      return (
        <>
          <Field
            label="Samples a second"
            type="number"
            min={3000}
            max={768_000}
            value={draft.rate}
            onChange={({ target }) => change({ rate: target.valueAsNumber || 16_000, file: null })}
          />
          <FileChoice input={input} draft={draft} change={change} accept="audio/*" word="sound" />
        </>
      );
    case "file":
      return <FileChoice input={input} draft={draft} change={change} word="file" />;
  }
}

interface FileChoiceProps extends Omit<KindFieldsProps, "problem"> {
  readonly accept?: string;
  readonly word: string;
}

function FileChoice({ input, draft, change, accept, word }: FileChoiceProps) {
  const [failure, setFailure] = useState<string | null>(null);
  const choose = async (file: File | undefined) => {
    if (file === undefined) return;
    setFailure(null);
    try {
      change({ file: await readChosenFile(file, draft) });
    } catch (error) {
      setFailure(error instanceof Error ? error.message : "this file could not be read");
    }
  };
  return (
    <div className="flex flex-wrap items-center gap-2 text-[0.857rem]">
      <Button asChild size="small">
        <label className="relative cursor-pointer focus-within:outline-2">
          {draft.file === null ? `Choose a ${word}` : `Another ${word}`}
          <input
            type="file"
            className="sr-only"
            aria-label={`${word} for ${input.name}`}
            accept={accept}
            onChange={({ target }) => {
              void choose(target.files?.[0]);
              target.value = "";
            }}
          />
        </label>
      </Button>
      <span className="min-w-0 text-ink-soft [overflow-wrap:anywhere]">
        {draft.file === null
          ? ""
          : draft.file.width === undefined
            ? draft.file.name
            : `${draft.file.name}, ${draft.file.width} × ${draft.file.height} pixels`}
      </span>
      {failure === null ? null : (
        <span role="alert" className="text-bad">
          {failure}
        </span>
      )}
    </div>
  );
}

function ImageFields({
  image,
  onChange,
}: {
  readonly image: ImageSettings;
  readonly onChange: (image: ImageSettings) => void;
}) {
  return (
    <div className="flex flex-wrap items-end gap-2">
      <Select
        aria-label="Order of the values"
        value={image.order}
        onChange={({ target }) => onChange({ ...image, order: target.value === "nhwc" ? "nhwc" : "nchw" })}
      >
        <option value="nchw">NCHW: channel first</option>
        <option value="nhwc">NHWC: channel last</option>
      </Select>
      <Select
        aria-label="Colours"
        value={image.grey ? "grey" : "rgb"}
        onChange={({ target }) => onChange({ ...image, grey: target.value === "grey" })}
      >
        <option value="rgb">RGB</option>
        <option value="grey">Grey</option>
      </Select>
      <Select
        aria-label="Scale of the values"
        value={image.scale}
        onChange={({ target }) =>
          onChange({
            ...image,
            scale: target.value === "byte" ? "byte" : target.value === "mean-std" ? "mean-std" : "unit",
          })
        }
      >
        <option value="unit">0 to 1</option>
        <option value="byte">0 to 255</option>
        <option value="mean-std">Mean and deviation</option>
      </Select>
      {image.scale === "mean-std" ? (
        <>
          <Field
            label="Mean"
            value={image.mean}
            onChange={({ target }) => onChange({ ...image, mean: target.value })}
          />
          <Field
            label="Deviation"
            value={image.std}
            onChange={({ target }) => onChange({ ...image, std: target.value })}
          />
        </>
      ) : null}
    </div>
  );
}
