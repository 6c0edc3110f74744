"use client";

import { FolderUp, Upload } from "lucide-react";
import { type DragEvent, type ReactNode, useId, useRef, useState } from "react";
import { cn } from "../cn.ts";
import { Button } from "./button.tsx";
import { type DroppedFile, filesOfDrop, filesOfInput } from "./dropped-files.ts";

export interface DropZoneProps {
  readonly label: string;
  /** What may be dropped. */
  readonly hint?: ReactNode;
  /** For the file input only, e.g. ".onnx,.pbtxt". */
  readonly accept?: string;
  readonly disabled?: boolean;
  readonly onFiles: (files: readonly DroppedFile[]) => void;
}

/** Takes files and folders: dropped, or chosen with the two buttons, which the keyboard reaches. */
export function DropZone({ label, hint, accept, disabled = false, onFiles }: DropZoneProps) {
  const id = useId();
  const [over, setOver] = useState(false);
  const fileInput = useRef<HTMLInputElement>(null);
  const folderInput = useRef<HTMLInputElement>(null);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    if (disabled) return;
    void filesOfDrop(event.dataTransfer).then((files) => {
      if (files.length > 0) onFiles(files);
    });
  };
  const take = (input: HTMLInputElement) => {
    const files = filesOfInput(input.files);
    // The same choice again must fire again.
    input.value = "";
    if (files.length > 0) onFiles(files);
  };
  return (
    <section
      aria-labelledby={`${id}-label`}
      onDragOver={(event) => {
        event.preventDefault();
        if (!disabled) setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={cn(
        "flex flex-col items-center gap-2 rounded-lg border-2 border-dashed px-6 py-8 text-center",
        over ? "border-accent bg-accent-wash" : "border-line-strong/60 bg-bg",
        disabled && "opacity-60",
      )}
    >
      <Upload aria-hidden className="size-6 text-ink-soft" />
      <p id={`${id}-label`} className="font-semibold">
        {label}
      </p>
      {hint === undefined ? null : <div className="max-w-prose text-ink-soft">{hint}</div>}
      <div className="mt-1 flex flex-wrap justify-center gap-2">
        <Button size="small" disabled={disabled} onClick={() => fileInput.current?.click()}>
          <Upload aria-hidden />
          Choose files
        </Button>
        <Button size="small" disabled={disabled} onClick={() => folderInput.current?.click()}>
          <FolderUp aria-hidden />
          Choose a folder
        </Button>
      </div>
      <input
        ref={fileInput}
        type="file"
        multiple
        hidden
        aria-label={`${label}: files`}
        {...(accept === undefined ? {} : { accept })}
        onChange={(event) => take(event.currentTarget)}
      />
      <input
        ref={(element) => {
          folderInput.current = element;
          // React has no property for it.
          element?.setAttribute("webkitdirectory", "");
        }}
        type="file"
        multiple
        hidden
        aria-label={`${label}: folder`}
        onChange={(event) => take(event.currentTarget)}
      />
    </section>
  );
}
