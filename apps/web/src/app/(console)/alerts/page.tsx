import type { Metadata } from "next";
import { AlertsPage } from "../../../features/alerts/alerts-page.tsx";
import { Prefetch } from "../../../server/prefetch.tsx";

export const metadata: Metadata = { title: "Alerts" };

export default function Page() {
  return (
    <Prefetch
      queries={({ trpc, client }) => [
        client.prefetchQuery(trpc.alerts.list.queryOptions({ state: "open", limit: 200 })),
      ]}
    >
      <AlertsPage />
    </Prefetch>
  );
}
