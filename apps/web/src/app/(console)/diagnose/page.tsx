import type { Metadata } from "next";
import { DiagnosePage } from "../../../features/diagnose/diagnose-page.tsx";
import { Prefetch } from "../../../server/prefetch.tsx";

export const metadata: Metadata = { title: "Diagnose" };

export default function Page() {
  return (
    <Prefetch queries={({ trpc, client }) => [client.prefetchQuery(trpc.models.list.queryOptions())]}>
      <DiagnosePage />
    </Prefetch>
  );
}
