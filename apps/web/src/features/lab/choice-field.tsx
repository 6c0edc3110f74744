import { Select } from "@nereid/ui";
import { useId } from "react";

export interface ChoiceFieldProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
  readonly onChange: (value: Value) => void;
}

/** A select under its label, as the text fields beside it are. */
export function ChoiceField<Value extends string>(props: ChoiceFieldProps<Value>) {
  const { label, value, options, hint, error, onChange } = props;
  const id = useId();
  const note = error ?? hint;
  return (
    <div className="flex flex-col items-start gap-1.5">
      <label htmlFor={id} className="block font-medium text-[0.929rem]">
        {label}
      </label>
      <Select
        id={id}
        value={value}
        aria-invalid={error === undefined ? undefined : true}
        aria-describedby={note === undefined ? undefined : `${id}-note`}
        className="max-w-full"
        onChange={({ target }) => {
          const chosen = options.find((option) => option.value === target.value);
          if (chosen !== undefined) onChange(chosen.value);
        }}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </Select>
      {note === undefined ? null : (
        <p
          id={`${id}-note`}
          className={error === undefined ? "text-[0.857rem] text-ink-soft" : "text-[0.857rem] text-bad"}
        >
          {note}
        </p>
      )}
    </div>
  );
}

/** Values with their words as the options of a field, in their order. */
export function optionsOf<Value extends string>(words: Readonly<Record<Value, string>>) {
  return (Object.keys(words) as Value[]).map((value) => ({ value, label: words[value] }));
}
