import type { Metadata } from "next";
import { NodesPage } from "../../../features/nodes/nodes-page.tsx";
import { Prefetch } from "../../../server/prefetch.tsx";

export const metadata: Metadata = { title: "Nodes" };

export default function Page() {
  return (
    <Prefetch queries={({ trpc, client }) => [client.prefetchQuery(trpc.nodes.list.queryOptions())]}>
      <NodesPage />
    </Prefetch>
  );
}
