"use client";

import { Button } from "@nereid/ui";
import { useQuery } from "@tanstack/react-query";
import Link from "../../lib/link.tsx";
import { useTRPC } from "../../lib/trpc.tsx";
import { modelPath } from "../models/model-name-cell.tsx";
import { useNode } from "../nodes/node-context.tsx";

/** The way to what the server remembers of a request; nothing where it remembers none. */
export function RecordLink({ model, requestId }: { readonly model: string; readonly requestId: string }) {
  const trpc = useTRPC();
  const { node } = useNode();
  const able = node === undefined || node.capabilities.requests === null;
  const query = useQuery(trpc.requests.find.queryOptions({ model, id: requestId, limit: 1 }, { enabled: able }));
  const serial = query.data?.records[0]?.serial;
  if (serial === undefined) return null;
  return (
    <Button asChild size="small" className="h-8">
      <Link href={`${modelPath(model)}/requests?row=${serial}&order=newest`}>What the server remembers</Link>
    </Button>
  );
}
