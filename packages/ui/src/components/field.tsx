import type { ComponentProps } from "react";
import { FieldFrame, type FieldWords } from "./field-frame.tsx";
import { Input } from "./input.tsx";

export interface FieldProps extends ComponentProps<"input">, FieldWords {}

/** A labelled text input with its hint and its error, tied together for screen readers. */
export function Field({ label, hint, error, ...props }: FieldProps) {
  return (
    <FieldFrame
      label={label}
      error={error}
      {...(hint === undefined ? {} : { hint })}
      control={(ties) => <Input {...ties} {...props} />}
    />
  );
}
