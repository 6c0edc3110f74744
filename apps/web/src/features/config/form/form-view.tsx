"use client";

import { Banner, Button } from "@nereid/ui";
import { Plus, SquarePen, Trash2 } from "lucide-react";
import { useMemo, useState } from "react";
import { changeForm, type FormChange, readForm } from "./config-form.ts";
import { FormControl } from "./form-control.tsx";
import type { FormList, FormNames } from "./form-types.ts";

export interface FormViewProps {
  readonly text: string;
  readonly names: FormNames;
  readonly readOnly: boolean;
  readonly onChange: (text: string) => void;
  /** Shows a place of the text. */
  readonly onGoTo: (offset: number) => void;
}

/** The configuration as a form: another view of the same text, which keeps its comments. */
export function FormView({ text, names, readOnly, onChange, onGoTo }: FormViewProps) {
  const form = useMemo(() => readForm(text, names), [text, names]);
  const [refusal, setRefusal] = useState<string | null>(null);
  const apply = (change: FormChange): string | null => {
    const result = changeForm(text, change);
    if (result.ok) onChange(result.text);
    return result.ok ? null : result.message;
  };
  if (form.kind === "broken") {
    return (
      <Banner tone="warn">
        The text has {form.mistakes === 1 ? "a mistake" : `${form.mistakes} mistakes`}, so the form cannot be shown.
        Correct the text first; the findings say how.
      </Banner>
    );
  }
  return (
    <div className="space-y-6">
      {refusal === null ? null : <Banner tone="bad">{refusal}</Banner>}
      {form.sections.map((section) => (
        <section key={section.id} aria-labelledby={`form-${section.id}`} className="space-y-3">
          <div>
            <h3 id={`form-${section.id}`} className="font-semibold">
              {section.title}
            </h3>
            <p className="text-[0.857rem] text-ink-soft">{section.hint}</p>
          </div>
          {section.fields.length === 0 ? null : (
            <div className="grid items-start gap-3 sm:grid-cols-2 xl:grid-cols-3">
              {section.fields.map((field) => (
                <FormControl
                  key={field.path}
                  field={field}
                  disabled={readOnly}
                  onChange={(value) => apply({ op: "set", field, value })}
                />
              ))}
            </div>
          )}
          {section.lists.map((list) => (
            <FormListView
              key={list.path}
              list={list}
              readOnly={readOnly}
              onSet={apply}
              onShape={(change) => setRefusal(apply(change))}
            />
          ))}
        </section>
      ))}
      {form.rest.length === 0 ? null : (
        <section aria-labelledby="form-rest" className="space-y-2">
          <h3 id="form-rest" className="font-semibold">
            Only in the text
          </h3>
          <ul className="flex flex-wrap gap-2">
            {form.rest.map(({ path, line, offset }) => (
              <li key={`${path} ${offset}`}>
                <Button size="small" onClick={() => onGoTo(offset)}>
                  <SquarePen aria-hidden />
                  <code className="font-mono">{path}</code> in line {line}: edit in text
                </Button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

interface FormListViewProps {
  readonly list: FormList;
  readonly readOnly: boolean;
  readonly onSet: (change: FormChange) => string | null;
  readonly onShape: (change: FormChange) => void;
}

function FormListView({ list, readOnly, onSet, onShape }: FormListViewProps) {
  return (
    <div className="space-y-2">
      {list.items.map((item) => (
        <fieldset key={item.path} className="rounded-md border p-3">
          <legend className="px-1 font-medium text-[0.857rem]">
            {list.noun}: {item.title}
          </legend>
          <div className="grid items-start gap-3 sm:grid-cols-2 xl:grid-cols-3">
            {item.fields.map((field) => (
              <FormControl
                key={field.path}
                field={field}
                disabled={readOnly}
                onChange={(value) => onSet({ op: "set", field, value })}
              />
            ))}
          </div>
          {readOnly ? null : (
            <Button
              size="small"
              tone="quiet"
              className="mt-2"
              aria-label={`Remove ${list.noun.toLowerCase()} ${item.title}`}
              onClick={() => onShape({ op: "remove", path: item.path })}
            >
              <Trash2 aria-hidden />
              Remove
            </Button>
          )}
        </fieldset>
      ))}
      {readOnly ? null : (
        <Button size="small" onClick={() => onShape({ op: "add", list })}>
          <Plus aria-hidden />
          Add {list.noun.toLowerCase().replace(/^(gpu|cpu)/, (side) => side.toUpperCase())}
        </Button>
      )}
    </div>
  );
}
