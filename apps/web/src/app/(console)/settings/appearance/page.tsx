import type { Metadata } from "next";
import { AppearancePage } from "../../../../features/settings/appearance-page.tsx";
import { Prefetch } from "../../../../server/prefetch.tsx";

export const metadata: Metadata = { title: "Appearance · Settings" };

export default function Page() {
  return (
    <Prefetch queries={({ trpc, client }) => [client.prefetchQuery(trpc.settings.preferences.queryOptions())]}>
      <AppearancePage />
    </Prefetch>
  );
}
