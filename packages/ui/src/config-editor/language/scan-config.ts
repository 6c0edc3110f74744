/** What the cursor stands in, for completion and hover. Works on text that is being typed, i.e. broken most of the time. */
export interface CursorContext {
  /** Field names of the blocks around the cursor, outermost first; entries of maps add `value`. */
  readonly blocks: readonly string[];
  readonly at:
    | { readonly kind: "comment" }
    /** A field name may stand here. */
    | { readonly kind: "field" }
    /** A value of this field may stand here, without or within quotes; `list` inside brackets. */
    | { readonly kind: "value"; readonly field: string; readonly quoted: boolean; readonly list: boolean }
    /** Neither: behind a name that wants a colon or brace. */
    | { readonly kind: "none" };
  /** Where the word under the cursor begins; the cursor itself when it touches none. */
  readonly from: number;
  /** Names of fields the block has already, the word under the cursor left out. */
  readonly used: ReadonlySet<string>;
}

interface Frame {
  readonly kind: "message" | "list";
  /** Blocks around the content of this frame. */
  readonly blocks: readonly string[];
  /** Of a list: the field it belongs to. */
  readonly field: string;
  readonly used: Set<string>;
}

interface Pending {
  readonly name: string;
  readonly colon: boolean;
}

const TOKEN =
  /\s+|#[^\n]*|"(?:[^"\\\n]|\\.)*(?:"|(?=\n|$))|'(?:[^'\\\n]|\\.)*(?:'|(?=\n|$))|[A-Za-z_]\w*|[-+.\w]+|./gsy;

/** Where the cursor stands. One pass over the text; `position` counts UTF-16 code units. */
export function scanConfig(text: string, position: number): CursorContext {
  const frames: Frame[] = [{ kind: "message", blocks: [], field: "", used: new Set() }];
  let pending: Pending | undefined;
  let found: CursorContext | undefined;
  const top = (): Frame => frames.at(-1) ?? { kind: "message", blocks: [], field: "", used: new Set() };
  const context = (from: number, quoted: boolean): CursorContext => ({
    blocks: top().blocks,
    at: whatFits(top(), pending, quoted),
    from,
    used: top().used,
  });
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(text); match !== null; match = TOKEN.exec(text)) {
    const [token] = match;
    const start = match.index;
    const end = start + token.length;
    const first = token[0] ?? "";
    if (found === undefined && position <= end) {
      if (first === "#" && position > start) found = { ...context(position, false), at: { kind: "comment" } };
      else if ((first === '"' || first === "'") && position > start && (position < end || !closes(token))) {
        found = context(start + 1, true);
      } else if (/\w/.test(first) && position > start) {
        found = context(start, false);
        // The word under the cursor is what is being typed, not something that is there.
        if (found.at.kind === "field") continue;
      } else if (position <= start) found = context(position, false);
    }
    if (/\s/.test(first) || first === "#") continue;
    if (/[A-Za-z_]/.test(first) && !isValue(top(), pending)) {
      top().used.add(token);
      pending = { name: token, colon: false };
    } else if (first === ":" || first === "=") {
      if (pending !== undefined) pending = { ...pending, colon: true };
    } else if (first === "{" || first === "<") {
      const frame = top();
      const name = pending?.name ?? (frame.kind === "list" ? frame.field : "");
      const blocks = name === "" ? frame.blocks : [...frame.blocks, name];
      frames.push({ kind: "message", blocks, field: name, used: new Set() });
      pending = undefined;
    } else if (first === "[") {
      frames.push({ kind: "list", blocks: top().blocks, field: pending?.name ?? "", used: new Set() });
      pending = undefined;
    } else if (first === "}" || first === ">" || first === "]") {
      if (frames.length > 1) frames.pop();
      pending = undefined;
    } else {
      // A value, a separator or something that does not belong here: the field before it is complete.
      pending = undefined;
    }
  }
  return found ?? context(position, false);
}

function whatFits(frame: Frame, pending: Pending | undefined, quoted: boolean): CursorContext["at"] {
  if (pending?.colon === true) return { kind: "value", field: pending.name, quoted, list: false };
  if (pending !== undefined || (quoted && frame.kind === "message")) return { kind: "none" };
  if (frame.kind === "list") return { kind: "value", field: frame.field, quoted, list: true };
  return { kind: "field" };
}

function isValue(frame: Frame, pending: Pending | undefined): boolean {
  return pending?.colon === true || frame.kind === "list";
}

function closes(literal: string): boolean {
  return literal.length > 1 && literal.at(-1) === literal[0];
}
