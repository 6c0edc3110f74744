import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  snippetCompletion,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, foldGutter, foldKeymap, indentOnInput } from "@codemirror/language";
import { lintGutter, lintKeymap, type Diagnostic as Mark, nextDiagnostic, previousDiagnostic } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import type { Extension } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  hoverTooltip,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { type CompletionNames, completeConfig } from "../complete/complete-config.ts";
import { formatChange } from "../format-text.ts";
import { describeField } from "../hover/describe-field.ts";
import { configLanguageSupport } from "../language/config-language.ts";
import { type EditorFinding, lintMarks } from "../lint/lint-marks.ts";
import { editorTheme } from "./editor-theme.ts";
import { fieldDocsElement } from "./field-docs-element.ts";

/** What every view of a config has: colours, folding, line numbers, documentation under the mouse. */
export const readingExtensions: Extension = [
  lineNumbers(),
  foldGutter(),
  highlightSpecialChars(),
  drawSelection(),
  bracketMatching(),
  highlightSelectionMatches(),
  configLanguageSupport,
  editorTheme,
  EditorView.lineWrapping,
  hoverTooltip((view, position) => {
    const found = describeField(view.state.doc.toString(), position);
    if (found === null) return null;
    return { pos: found.from, end: found.to, above: true, create: () => ({ dom: fieldDocsElement(found) }) };
  }),
];

export interface EditingCalls {
  readonly names: () => CompletionNames | undefined;
  readonly onSave: () => void;
}

/** What is needed to write one. Tab is left to the page, so that the keyboard gets out again. */
export function editingExtensions({ names, onSave }: EditingCalls): Extension {
  const source = (context: CompletionContext): CompletionResult | null => {
    const found = completeConfig(context.state.doc.toString(), context.pos, names());
    if (found === null || (!context.explicit && found.from === context.pos)) return null;
    return {
      from: found.from,
      validFor: /^\w*$/,
      options: found.options.map(({ label, template, kind, detail, info }) =>
        snippetCompletion(template, {
          label,
          detail,
          type: kind === "field" ? "property" : "enum",
          ...(info === "" ? {} : { info }),
        }),
      ),
    };
  };
  return [
    history(),
    indentOnInput(),
    closeBrackets(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    lintGutter(),
    autocompletion({ override: [source] }),
    keymap.of([
      { key: "Mod-Shift-f", run: formatCommand, preventDefault: true },
      {
        key: "Mod-s",
        preventDefault: true,
        run: () => {
          onSave();
          return true;
        },
      },
      { key: "F8", run: nextDiagnostic, shift: previousDiagnostic, preventDefault: true },
      ...closeBracketsKeymap,
      ...completionKeymap,
      ...searchKeymap,
      ...historyKeymap,
      ...foldKeymap,
      ...lintKeymap,
      ...defaultKeymap,
    ]),
  ];
}

/** Lays the text out; does nothing to one with mistakes or without the right to change it. */
export function formatCommand(view: EditorView): boolean {
  const change = view.state.readOnly ? null : formatChange(view.state.doc.toString());
  if (change !== null) view.dispatch({ changes: change, userEvent: "input.format", scrollIntoView: true });
  return true;
}

/** Findings about exactly this text as the editor's own marks; a fix does nothing once the text has changed. */
export function marksOf(diagnostics: readonly EditorFinding[], text: string): Mark[] {
  return lintMarks(diagnostics, text.length).map(({ from, to, severity, message, fix }) => ({
    from,
    to,
    severity,
    message,
    actions:
      fix === undefined
        ? []
        : [
            {
              name: fix.title,
              apply: (view: EditorView) => {
                if (view.state.readOnly || view.state.doc.toString() !== text) return;
                const changes = fix.edits.map((edit) => ({ from: edit.offset, to: edit.endOffset, insert: edit.text }));
                view.dispatch({ changes, userEvent: "input.fix" });
              },
            },
          ],
  }));
}
