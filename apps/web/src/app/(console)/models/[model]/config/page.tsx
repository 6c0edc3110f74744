import type { Metadata } from "next";
import { ConfigPage } from "../../../../../features/config/config-page.tsx";
import { modelParam } from "../../../../../features/models/model-param.ts";
import { Prefetch } from "../../../../../server/prefetch.tsx";

type Props = PageProps<"/models/[model]/config">;

export async function generateMetadata(props: Props): Promise<Metadata> {
  return { title: `Config · ${await modelParam(props)} · Models` };
}

export default async function Page(props: Props) {
  const name = await modelParam(props);
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
