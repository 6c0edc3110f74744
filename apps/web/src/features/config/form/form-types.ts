import type { EditValue } from "@nereid/model-config";

/** One value of the configuration as a form control; `value` is what stands in the control. */
export type FormField = {
  /** Where it stands in the configuration, e.g. `input[0].dims`. */
  readonly path: string;
  readonly label: string;
  readonly hint?: string;
  /** What holds when it is left empty. */
  readonly placeholder?: string;
} & (
  | { readonly kind: "integer" | "integers" | "text"; readonly value: string; readonly suggestions?: readonly string[] }
  | { readonly kind: "select"; readonly value: string; readonly options: readonly FormOption[] }
  | { readonly kind: "flag"; readonly value: boolean }
);

export interface FormOption {
  readonly value: string;
  readonly label: string;
}

/** Things of one kind, each with its fields. */
export interface FormList {
  readonly path: string;
  /** What one of them is called: "Input". */
  readonly noun: string;
  readonly items: readonly { readonly path: string; readonly title: string; readonly fields: readonly FormField[] }[];
  /** What a new one begins as. */
  readonly blank: EditValue;
}

export interface FormSection {
  readonly id: string;
  readonly title: string;
  readonly hint: string;
  readonly fields: readonly FormField[];
  readonly lists: readonly FormList[];
}

/** Something the form has no control for. */
export interface FormRest {
  readonly path: string;
  readonly line: number;
  readonly offset: number;
}

export type ConfigForm =
  | { readonly kind: "broken"; readonly mistakes: number }
  | { readonly kind: "form"; readonly sections: readonly FormSection[]; readonly rest: readonly FormRest[] };

/** Tensors of the graph, to choose from. */
export interface FormNames {
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
}
