import { type ComponentProps, useId } from "react";
import { Input } from "./input.tsx";

export interface FieldProps extends ComponentProps<"input"> {
  readonly label: string;
  readonly hint?: string;
  readonly error?: string | undefined;
}

/** A labelled text input with its hint and its error, tied together for screen readers. */
export function Field({ label, hint, error, ...props }: FieldProps) {
  const id = useId();
  const note = error ?? hint;
  return (
    <div className="space-y-1.5">
      <label htmlFor={id} className="block font-medium text-[0.929rem]">
        {label}
      </label>
      <Input
        id={id}
        aria-invalid={error === undefined ? undefined : true}
        aria-describedby={note === undefined ? undefined : `${id}-note`}
        {...props}
      />
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
