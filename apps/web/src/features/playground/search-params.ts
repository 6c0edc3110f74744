import { parseAsInteger, parseAsString, parseAsStringLiteral } from "nuqs";
import { INPUT_KINDS, type InputDraft, type InputKind } from "./draft.ts";

/** What of the form is small enough for the address; the values are kept by the browser for the session. */
export const playgroundSearchParams = {
  version: parseAsString,
  protocol: parseAsStringLiteral(["http", "grpc"]).withDefault("http"),
  classes: parseAsInteger.withDefault(0),
  repeat: parseAsInteger.withDefault(1),
  /** Kind and sizes of each input in the order of the signature: `random.1x784~zeros.16`. */
  inputs: parseAsString,
};

export type SmallDraft = Pick<InputDraft, "kind" | "shape">;

/** Pure. */
export function writeInputs(drafts: readonly SmallDraft[]): string {
  return drafts.map(({ kind, shape }) => `${kind}.${shape.join("x")}`).join("~");
}

/** What an address says of the inputs; null for what it does not say, or says wrongly. Pure. */
export function readInputs(text: string | null): readonly (SmallDraft | null)[] {
  if (text === null) return [];
  return text.split("~").map((part) => {
    const [word = "", sizes = ""] = part.split(".");
    const kind: InputKind | undefined = INPUT_KINDS.find((one) => one === word);
    const shape = sizes === "" ? [] : sizes.split("x").map(Number);
    return kind === undefined || shape.some((size) => !Number.isInteger(size) || size < 0) ? null : { kind, shape };
  });
}
