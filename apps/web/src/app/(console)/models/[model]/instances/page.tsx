import type { Metadata } from "next";
import { InstancesPage } from "../../../../../features/instances/instances-page.tsx";
import { modelParam } from "../../../../../features/models/model-param.ts";
import { Prefetch } from "../../../../../server/prefetch.tsx";

type Props = PageProps<"/models/[model]/instances">;

export async function generateMetadata(props: Props): Promise<Metadata> {
  return { title: `Instances · ${await modelParam(props)} · Models` };
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
      <InstancesPage name={name} />
    </Prefetch>
  );
}
