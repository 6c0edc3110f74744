"use client";

import { setDiagnostics } from "@codemirror/lint";
import { Compartment, EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { type Ref, useEffect, useEffectEvent, useImperativeHandle, useRef } from "react";
import { cn } from "../cn.ts";
import type { CompletionNames } from "./complete/complete-config.ts";
import { smallestChange } from "./format-text.ts";
import type { EditorFinding } from "./lint/lint-marks.ts";
import { editingExtensions, formatCommand, marksOf, readingExtensions } from "./view/config-extensions.ts";

export interface ConfigEditorHandle {
  /** Puts the cursor there and shows it; an offset in UTF-16 code units. */
  goTo(offset: number): void;
  format(): void;
}

export interface ConfigEditorProps {
  readonly value: string;
  readonly onChange?: (text: string) => void;
  /** Name of the editor for screen readers. */
  readonly label: string;
  readonly readOnly?: boolean;
  /** Findings and the text they are about; shown while that is the text in the editor. */
  readonly diagnosis?: { readonly text: string; readonly diagnostics: readonly EditorFinding[] };
  /** Tensor names of the graph, for completion. */
  readonly names?: CompletionNames;
  /** Ctrl-S or Cmd-S. */
  readonly onSave?: () => void;
  readonly className?: string;
  readonly ref?: Ref<ConfigEditorHandle>;
}

/** An editor for config.pbtxt. The keyboard leaves it with Tab; Ctrl-Shift-F lays out, F8 goes to the next finding. */
export function ConfigEditor(props: ConfigEditorProps) {
  const { value, onChange, label, readOnly = false, diagnosis, names, onSave, className, ref } = props;
  const frame = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const access = useRef(new Compartment());
  const changed = useEffectEvent((text: string) => onChange?.(text));
  const saved = useEffectEvent(() => onSave?.());
  const graphNames = useEffectEvent(() => names);
  const first = useEffectEvent(() => ({ doc: value, access: accessOf(label, readOnly) }));

  useEffect(() => {
    if (frame.current === null) return;
    const start = first();
    const editor = new EditorView({
      parent: frame.current,
      state: EditorState.create({
        doc: start.doc,
        extensions: [
          readingExtensions,
          editingExtensions({ names: () => graphNames(), onSave: () => saved() }),
          access.current.of(start.access),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) changed(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = editor;
    return () => {
      view.current = null;
      editor.destroy();
    };
  }, []);

  useEffect(() => {
    const change = view.current === null ? null : smallestChange(view.current.state.doc.toString(), value);
    if (change !== null) view.current?.dispatch({ changes: change });
  }, [value]);

  useEffect(() => {
    view.current?.dispatch({ effects: access.current.reconfigure(accessOf(label, readOnly)) });
  }, [label, readOnly]);

  useEffect(() => {
    const editor = view.current;
    if (editor === null || diagnosis === undefined || editor.state.doc.toString() !== diagnosis.text) return;
    editor.dispatch(setDiagnostics(editor.state, marksOf(diagnosis.diagnostics, diagnosis.text)));
  }, [diagnosis]);

  useImperativeHandle(ref, () => ({
    goTo: (offset) => {
      const editor = view.current;
      if (editor === null) return;
      const anchor = Math.min(offset, editor.state.doc.length);
      editor.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
      editor.focus();
    },
    format: () => void (view.current === null || formatCommand(view.current)),
  }));

  return (
    <div
      ref={frame}
      className={cn(
        "min-h-64 overflow-hidden rounded-md border focus-within:outline-2 focus-within:outline-focus",
        className,
      )}
    />
  );
}

/** A text that may not be changed can still be reached, selected and copied with the keyboard. */
function accessOf(label: string, readOnly: boolean) {
  return [
    EditorState.readOnly.of(readOnly),
    EditorView.contentAttributes.of({ "aria-label": label, ...(readOnly ? { "aria-readonly": "true" } : {}) }),
  ];
}
