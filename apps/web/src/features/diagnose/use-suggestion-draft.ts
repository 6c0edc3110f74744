import type { DiagnosisReport } from "@nereid/services";
import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { shownError } from "../../lib/api-error.ts";
import { useTRPC } from "../../lib/trpc.tsx";
import { keepDraft } from "../config/use-config-draft.ts";
import { modelPath } from "../models/model-name-cell.tsx";
import { withEdits } from "./apply-suggestion.ts";

type Edits = NonNullable<DiagnosisReport["verdict"]["suggestion"]>["edits"];

/** Takes a suggestion to the model's configuration page as a draft: nothing is changed until somebody applies it there. */
export function useSuggestionDraft(model: string) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const router = useRouter();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const open = async (edits: Edits) => {
    setBusy(true);
    setProblem(null);
    try {
      const { text, digest } = await queryClient.fetchQuery(trpc.config.get.queryOptions({ name: model }));
      keepDraft(model, { text: withEdits(text, edits), base: { text, digest } });
      router.push(`${modelPath(model)}/config`);
    } catch (error) {
      setProblem(shownError(error).message);
      setBusy(false);
    }
  };
  return { busy, problem, open: (edits: Edits) => void open(edits) };
}
