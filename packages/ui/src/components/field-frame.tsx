import { type ReactNode, useId } from "react";

export interface FieldWords {
  readonly label: string;
  readonly hint?: string;
  readonly error?: string | undefined;
}

/** What ties a control to its label and its note, for screen readers. */
export interface FieldTies {
  readonly id: string;
  readonly "aria-invalid": true | undefined;
  readonly "aria-describedby": string | undefined;
}

/** A label above a control and, under it, the hint or the error. */
export function FieldFrame(props: FieldWords & { readonly control: (ties: FieldTies) => ReactNode }) {
  const { label, hint, error, control } = props;
  const id = useId();
  const note = error ?? hint;
  return (
    <div className="space-y-1.5">
      <label htmlFor={id} className="block font-medium text-[0.929rem]">
        {label}
      </label>
      {control({
        id,
        "aria-invalid": error === undefined ? undefined : true,
        "aria-describedby": note === undefined ? undefined : `${id}-note`,
      })}
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
