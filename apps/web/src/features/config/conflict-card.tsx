"use client";

import { Banner, Button, Dialog } from "@nereid/ui";
import { ConfigDiff } from "@nereid/ui/config-editor";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { toast } from "sonner";
import { useTRPC } from "../../lib/trpc.tsx";
import { LocalTime } from "../audit/local-time.tsx";
import type { Served } from "./draft.ts";
import { mergeLines } from "./merge-lines.ts";

export interface ConflictCardProps {
  readonly model: string;
  readonly mine: string;
  readonly base: Served;
  readonly theirs: Served;
  readonly onRebase: (text: string, base: Served) => void;
  readonly onDiscard: () => void;
}

/** Somebody else was faster: who it was, what they did, and the three ways to go on. */
export function ConflictCard({ model, mine, base, theirs, onRebase, onDiscard }: ConflictCardProps) {
  const trpc = useTRPC();
  const [looking, setLooking] = useState(false);
  const head = useQuery(trpc.config.history.queryOptions({ name: model, limit: 1 }));
  const entry = head.data?.entries.find(({ digest }) => digest === theirs.digest);
  const rebase = () => {
    const merged = mergeLines({ base: base.text, mine, theirs: theirs.text });
    onRebase(merged.text, theirs);
    if (merged.conflicts === 0) toast.success("Your changes now stand on the newer file");
    else {
      toast.warning(
        `${merged.conflicts} ${merged.conflicts === 1 ? "place contradicts" : "places contradict"} the newer file`,
        {
          description: "They are marked in the text. Keep one side of each and remove the marker lines.",
        },
      );
    }
  };
  return (
    <Banner tone="warn">
      <p>
        <strong className="font-semibold">The file was changed while you were editing.</strong>{" "}
        {entry === undefined ? (
          "What you began with is no longer what is there."
        ) : (
          <>
            By {entry.authorName}, <LocalTime at={entry.at} relative />
            {entry.reason === null ? "." : `: ${entry.reason}`}
          </>
        )}
      </p>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button size="small" onClick={() => setLooking(true)}>
          See their change
        </Button>
        <Button size="small" tone="primary" onClick={rebase}>
          Put mine on top of it
        </Button>
        <Button size="small" onClick={onDiscard}>
          Discard mine
        </Button>
      </div>
      <Dialog open={looking} onOpenChange={setLooking} size="wide" title="What was changed meanwhile">
        <ConfigDiff
          before={base.text}
          after={theirs.text}
          beforeLabel="What you began with"
          afterLabel="The file now"
        />
      </Dialog>
    </Banner>
  );
}
