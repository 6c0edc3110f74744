import type { Metadata } from "next";
import { DeployPage } from "../../../features/deploy/deploy-page.tsx";
import { Prefetch } from "../../../server/prefetch.tsx";

export const metadata: Metadata = { title: "Deploy" };

export default async function Page({ searchParams }: PageProps<"/deploy">) {
  const { draft } = await searchParams;
  return (
    <Prefetch
      queries={({ trpc, client }) => [
        typeof draft === "string" && draft !== ""
          ? client.prefetchQuery(trpc.deploy.get.queryOptions({ id: draft }))
          : client.prefetchQuery(trpc.deploy.list.queryOptions()),
      ]}
    >
      <DeployPage />
    </Prefetch>
  );
}
