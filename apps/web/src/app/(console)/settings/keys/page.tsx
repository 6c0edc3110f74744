import type { Metadata } from "next";
import { KeysPage } from "../../../../features/settings/keys-page.tsx";
import { Prefetch } from "../../../../server/prefetch.tsx";

export const metadata: Metadata = { title: "API keys · Settings" };

export default function Page() {
  return (
    <Prefetch queries={({ trpc, client }) => [client.prefetchQuery(trpc.keys.list.queryOptions())]}>
      <KeysPage />
    </Prefetch>
  );
}
