import type { Metadata } from "next";
import { AccountPage } from "../../../../features/settings/account-page.tsx";
import { Prefetch } from "../../../../server/prefetch.tsx";

export const metadata: Metadata = { title: "Account · Settings" };

export default function Page() {
  return (
    <Prefetch queries={({ trpc, client }) => [client.prefetchQuery(trpc.session.me.queryOptions())]}>
      <AccountPage />
    </Prefetch>
  );
}
