import { Textarea } from "@nereid/ui";

export interface ShapesFieldProps {
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (shapes: string) => void;
}

/** The shapes of a job's requests, as `readShapes` reads them. */
export function ShapesField({ value, error, onChange }: ShapesFieldProps) {
  return (
    <Textarea
      label="Shapes of inputs with variable dimensions"
      hint="Without the batch: INPUT:16 or INPUT:3,224,224, one a line."
      rows={2}
      value={value}
      error={error}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
