import type { Metadata } from "next";
import { ConfigPage } from "../../../../../features/config/config-page.tsx";
import { Prefetch } from "../../../../../server/prefetch.tsx";

type Props = PageProps<"/models/[model]/config">;

/** Next hands the segment over as it stands in the address. */
async function nameOf({ params }: Props): Promise<string> {
  const { model } = await params;
  return decodeURIComponent(model);
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  return { title: `Config · ${await nameOf(props)} · Models` };
}

export default async function Page(props: Props) {
  const name = await nameOf(props);
  return (
    <Prefetch
      queries={({ trpc, client }) => [
        client.prefetchQuery(trpc.models.get.queryOptions({ name })),
        client.prefetchQuery(trpc.config.get.queryOptions({ name })),
      ]}
    >
      <ConfigPage name={name} />
    </Prefetch>
  );
}
