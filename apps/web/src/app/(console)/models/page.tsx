import type { Metadata } from "next";
import { ModelsPage } from "../../../features/models/models-page.tsx";
import { Prefetch } from "../../../server/prefetch.tsx";

export const metadata: Metadata = { title: "Models" };

export default function Page() {
  return (
    <Prefetch queries={({ trpc, client }) => [client.prefetchQuery(trpc.models.list.queryOptions())]}>
      <ModelsPage />
    </Prefetch>
  );
}
