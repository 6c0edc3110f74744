import type { Metadata } from "next";
import { UsersPage } from "../../../../features/settings/users-page.tsx";
import { Prefetch } from "../../../../server/prefetch.tsx";

export const metadata: Metadata = { title: "Users · Settings" };

export default function Page() {
  return (
    <Prefetch queries={({ trpc, client }) => [client.prefetchQuery(trpc.users.list.queryOptions())]}>
      <UsersPage />
    </Prefetch>
  );
}
