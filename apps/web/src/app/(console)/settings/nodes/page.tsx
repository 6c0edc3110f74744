import type { Metadata } from "next";
import { NodesSettingsPage } from "../../../../features/nodes/nodes-settings-page.tsx";
import { Prefetch } from "../../../../server/prefetch.tsx";

export const metadata: Metadata = { title: "Nodes · Settings" };

export default function Page() {
  return (
    <Prefetch queries={({ trpc, client }) => [client.prefetchQuery(trpc.nodes.list.queryOptions())]}>
      <NodesSettingsPage />
    </Prefetch>
  );
}
