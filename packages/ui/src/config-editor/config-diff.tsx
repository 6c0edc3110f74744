"use client";

import { MergeView, unifiedMergeView } from "@codemirror/merge";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { useEffect, useRef } from "react";
import { cn } from "../cn.ts";
import { readingExtensions } from "./view/config-extensions.ts";

export interface ConfigDiffProps {
  readonly before: string;
  readonly after: string;
  /** Names of the two texts, e.g. "Served now" and "Your text". */
  readonly beforeLabel: string;
  readonly afterLabel: string;
  readonly mode?: "unified" | "side-by-side";
  readonly className?: string;
}

const COLLAPSE = { margin: 3, minSize: 6 };

function reading(label: string): Extension {
  return [
    readingExtensions,
    EditorState.readOnly.of(true),
    EditorView.contentAttributes.of({ "aria-label": label, "aria-readonly": "true" }),
  ];
}

/** What differs between two configs. Both panes can be focused and read with the keyboard. */
export function ConfigDiff({ before, after, beforeLabel, afterLabel, mode = "unified", className }: ConfigDiffProps) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const parent = frame.current;
    if (parent === null) return;
    if (mode === "side-by-side") {
      const view = new MergeView({
        parent,
        a: { doc: before, extensions: reading(beforeLabel) },
        b: { doc: after, extensions: reading(afterLabel) },
        collapseUnchanged: COLLAPSE,
        gutter: true,
      });
      return () => view.destroy();
    }
    const view = new EditorView({
      parent,
      state: EditorState.create({
        doc: after,
        extensions: [
          reading(`${afterLabel}, with what differs from: ${beforeLabel}`),
          unifiedMergeView({ original: before, mergeControls: false, gutter: true, collapseUnchanged: COLLAPSE }),
        ],
      }),
    });
    return () => view.destroy();
  }, [before, after, beforeLabel, afterLabel, mode]);
  return (
    <div
      className={cn("overflow-hidden rounded-md border focus-within:outline-2 focus-within:outline-focus", className)}
    >
      <p className="flex flex-wrap justify-between gap-x-4 border-b bg-raised/50 px-3 py-1.5 text-[0.857rem] text-ink-soft">
        <span>− {beforeLabel}</span>
        <span>+ {afterLabel}</span>
      </p>
      <div ref={frame} className="max-h-[60vh] overflow-auto" />
    </div>
  );
}
