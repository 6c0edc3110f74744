import type { Metadata } from "next";
import { VersionsPage } from "../../../../../features/versions/versions-page.tsx";
import { Prefetch } from "../../../../../server/prefetch.tsx";

type Props = PageProps<"/models/[model]/versions">;

/** Next hands the segment over as it stands in the address. */
async function nameOf({ params }: Props): Promise<string> {
  const { model } = await params;
  return decodeURIComponent(model);
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  return { title: `Versions · ${await nameOf(props)} · Models` };
}

export default async function Page(props: Props) {
  const name = await nameOf(props);
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
