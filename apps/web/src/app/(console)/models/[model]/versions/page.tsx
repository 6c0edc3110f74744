import type { Metadata } from "next";
import { modelParam } from "../../../../../features/models/model-param.ts";
import { VersionsPage } from "../../../../../features/versions/versions-page.tsx";
import { Prefetch } from "../../../../../server/prefetch.tsx";

type Props = PageProps<"/models/[model]/versions">;

export async function generateMetadata(props: Props): Promise<Metadata> {
  return { title: `Versions · ${await modelParam(props)} · Models` };
}

export default async function Page(props: Props) {
  const name = await modelParam(props);
  return (
    <Prefetch
      queries={({ trpc, client }) => [
        client.prefetchQuery(trpc.models.get.queryOptions({ name })),
        client.prefetchQuery(trpc.versions.list.queryOptions({ name })),
      ]}
    >
      <VersionsPage name={name} />
    </Prefetch>
  );
}
