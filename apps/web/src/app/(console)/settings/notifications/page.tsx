import type { Metadata } from "next";
import { ChannelsPage } from "../../../../features/alerts/channels-page.tsx";
import { Prefetch } from "../../../../server/prefetch.tsx";

export const metadata: Metadata = { title: "Notifications · Settings" };

export default function Page() {
  return (
    <Prefetch queries={({ trpc, client }) => [client.prefetchQuery(trpc.alerts.channels.queryOptions())]}>
      <ChannelsPage />
    </Prefetch>
  );
}
