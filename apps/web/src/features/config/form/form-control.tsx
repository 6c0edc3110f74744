"use client";

import { Checkbox, Input, Select } from "@nereid/ui";
import { useEffect, useId, useState } from "react";
import type { FormField } from "./form-types.ts";

export interface FormControlProps {
  readonly field: FormField;
  readonly disabled: boolean;
  /** Writes the value; answers what is wrong with it, or null. */
  readonly onChange: (value: string | boolean) => string | null;
}

/** One value of the configuration. Texts and numbers are written when they are left or Enter is pressed. */
export function FormControl({ field, disabled, onChange }: FormControlProps) {
  const id = useId();
  const [error, setError] = useState<string | null>(null);
  const write = (value: string | boolean) => setError(onChange(value));
  if (field.kind === "flag") {
    return (
      <Checkbox
        label={field.label}
        {...(field.hint === undefined ? {} : { hint: field.hint })}
        checked={field.value}
        disabled={disabled}
        onChange={(event) => write(event.target.checked)}
      />
    );
  }
  const note = error ?? field.hint;
  return (
    <div className="min-w-0 space-y-1">
      <label htmlFor={id} className="block font-medium text-[0.857rem]">
        {field.label}
      </label>
      {field.kind === "select" ? (
        <Select
          id={id}
          value={field.value}
          disabled={disabled}
          className="h-9 max-w-full"
          onChange={(event) => write(event.target.value)}
        >
          {field.options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </Select>
      ) : (
        <TextControl
          id={id}
          field={field}
          disabled={disabled}
          invalid={error !== null}
          noted={note !== undefined}
          onWrite={write}
        />
      )}
      {note === undefined ? null : (
        <p id={`${id}-note`} className={error === null ? "text-[0.786rem] text-ink-soft" : "text-[0.786rem] text-bad"}>
          {note}
        </p>
      )}
    </div>
  );
}

interface TextControlProps {
  readonly id: string;
  readonly field: Extract<FormField, { readonly kind: "integer" | "integers" | "text" }>;
  readonly disabled: boolean;
  readonly invalid: boolean;
  readonly noted: boolean;
  readonly onWrite: (value: string) => void;
}

function TextControl({ id, field, disabled, invalid, noted, onWrite }: TextControlProps) {
  const [typed, setTyped] = useState(field.value);
  useEffect(() => setTyped(field.value), [field.value]);
  const finish = () => {
    if (typed !== field.value) onWrite(typed);
  };
  const suggestions = field.suggestions ?? [];
  return (
    <>
      <Input
        id={id}
        value={typed}
        disabled={disabled}
        placeholder={field.placeholder}
        autoComplete="off"
        spellCheck={false}
        inputMode={field.kind === "integer" ? "numeric" : undefined}
        aria-invalid={invalid ? true : undefined}
        aria-describedby={noted ? `${id}-note` : undefined}
        list={suggestions.length === 0 ? undefined : `${id}-list`}
        className="font-mono text-[0.893rem]"
        onChange={(event) => setTyped(event.target.value)}
        onBlur={finish}
        onKeyDown={(event) => {
          if (event.key === "Enter") finish();
        }}
      />
      {suggestions.length === 0 ? null : (
        <datalist id={`${id}-list`}>
          {suggestions.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
    </>
  );
}
