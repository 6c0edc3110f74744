import type { Metadata } from "next";
import { ExperimentsPage } from "../../../features/experiments/experiments-page.tsx";
import { Prefetch } from "../../../server/prefetch.tsx";

export const metadata: Metadata = { title: "Experiments" };

export default function Page() {
  return (
    <Prefetch queries={({ trpc, client }) => [client.prefetchQuery(trpc.models.list.queryOptions())]}>
      <ExperimentsPage />
    </Prefetch>
  );
}
