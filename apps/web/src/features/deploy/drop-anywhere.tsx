"use client";

import { type DroppedFile, filesOfDrop } from "@nereid/ui";
import { UploadCloud } from "lucide-react";
import { useRouter } from "next/navigation";
import { useEffect, useEffectEvent, useState } from "react";
import { holdDroppedFiles } from "./dropped-files-store.ts";

/** Takes files that are dropped anywhere on the page to the deploy page. Renders only while something is dragged over it. */
export function DropAnywhere() {
  const router = useRouter();
  const [over, setOver] = useState(false);
  const take = useEffectEvent((files: readonly DroppedFile[]) => {
    if (files.length === 0) return;
    holdDroppedFiles(files);
    router.push("/deploy");
  });
  // The window is not React's.
  useEffect(() => {
    const holdsFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") === true;
    const drag = (event: DragEvent) => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent) => {
      setOver(false);
      if (!holdsFiles(event) || event.dataTransfer === null) return;
      event.preventDefault();
      void filesOfDrop(event.dataTransfer).then(take);
    };
    addEventListener("dragover", drag);
    addEventListener("dragleave", leave);
    addEventListener("drop", drop);
    return () => {
      removeEventListener("dragover", drag);
      removeEventListener("dragleave", leave);
      removeEventListener("drop", drop);
    };
  }, []);
  if (!over) return null;
  return (
    <div className="pointer-events-none fixed inset-0 z-40 grid place-items-center bg-bg/80 backdrop-blur-xs">
      <p className="flex items-center gap-3 rounded-lg border-2 border-accent border-dashed bg-panel px-8 py-6 font-semibold text-lg shadow-panel">
        <UploadCloud aria-hidden className="size-6" />
        Drop to deploy
      </p>
    </div>
  );
}
