import type { Metadata } from "next";
import { GeneralPage } from "../../../../features/settings/general-page.tsx";
import { Prefetch } from "../../../../server/prefetch.tsx";

export const metadata: Metadata = { title: "General · Settings" };

export default function Page() {
  return (
    <Prefetch queries={({ trpc, client }) => [client.prefetchQuery(trpc.settings.retention.queryOptions())]}>
      <GeneralPage />
    </Prefetch>
  );
}
