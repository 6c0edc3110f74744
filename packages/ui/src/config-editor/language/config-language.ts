import { foldService, HighlightStyle, indentService, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { tags } from "@lezer/highlight";
import { foldRange, indentOf } from "./layout-of-lines.ts";

interface State {
  /** A colon has been read and its value has not. */
  value: boolean;
  /** Quote of a string that goes on; a line break ends it. */
  quote: string;
  /** What each open bracket was: `[` takes values, the others take fields. */
  open: string[];
}

/** config.pbtxt for CodeMirror: what each token is. Good enough for colours; what is wrong is the linter's business. */
export const configLanguage = StreamLanguage.define<State>({
  name: "config.pbtxt",
  startState: () => ({ value: false, quote: "", open: [] }),
  copyState: (state) => ({ ...state, open: [...state.open] }),
  token(stream, state) {
    if (stream.eatSpace()) return null;
    if (stream.match(/^#.*/)) return "comment";
    const string = stream.match(/^"(?:[^"\\]|\\.)*"?|^'(?:[^'\\]|\\.)*'?/);
    if (string) {
      state.value = false;
      return "string";
    }
    const inList = state.open.at(-1) === "[";
    if (stream.match(/^[-+]?(?:0x[\da-f]+|(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?f?)/i)) {
      state.value = false;
      return "number";
    }
    if (stream.match(/^[A-Za-z_]\w*/)) {
      const isValue = state.value || inList;
      state.value = false;
      if (!isValue) return "propertyName";
      return /^(?:true|false|True|False|t|f|inf|nan)$/.test(stream.current()) ? "bool" : "atom";
    }
    const mark = stream.next() ?? "";
    if (mark === ":") state.value = true;
    else if (mark === "{" || mark === "<" || mark === "[") {
      state.open.push(mark);
      state.value = false;
    } else if (mark === "}" || mark === ">" || mark === "]") {
      state.open.pop();
      state.value = false;
    }
    if (/[[\]]/.test(mark)) return "squareBracket";
    if (/[{}<>]/.test(mark)) return "brace";
    return mark === ":" || mark === "," || mark === ";" ? "punctuation" : "invalid";
  },
  languageData: {
    commentTokens: { line: "#" },
    closeBrackets: { brackets: ["{", "[", '"', "'"] },
    indentOnInput: /^\s*[}\]>]$/,
  },
});

const COLOURS = HighlightStyle.define([
  { tag: tags.comment, color: "var(--ink-soft)", fontStyle: "italic" },
  { tag: tags.propertyName, color: "var(--accent)" },
  { tag: tags.string, color: "var(--ok)" },
  { tag: tags.number, color: "var(--warn)" },
  { tag: [tags.atom, tags.bool], color: "var(--busy)" },
  { tag: [tags.brace, tags.squareBracket, tags.punctuation], color: "var(--ink-soft)" },
  { tag: tags.invalid, color: "var(--bad)" },
]);

/** Colours, indentation and folding; colours come from the page's own variables, so both themes are right. */
export const configLanguageSupport = [
  configLanguage,
  syntaxHighlighting(COLOURS),
  indentService.of((context, position) => {
    const line = context.state.doc.lineAt(position);
    return indentOf(context.state.doc.sliceString(0, line.from), line.text, context.unit);
  }),
  foldService.of((state, from) => foldRange(state.doc.toString(), from)),
];
