import type { Metadata } from "next";
import { modelParam } from "../../../../../features/models/model-param.ts";
import { PlaygroundPage } from "../../../../../features/playground/playground-page.tsx";
import { Prefetch } from "../../../../../server/prefetch.tsx";

type Props = PageProps<"/models/[model]/playground">;

export async function generateMetadata(props: Props): Promise<Metadata> {
  return { title: `Playground · ${await modelParam(props)} · Models` };
}

export default async function Page(props: Props) {
  const name = await modelParam(props);
  return (
    <Prefetch
      queries={({ trpc, client }) => [
        client.prefetchQuery(trpc.models.get.queryOptions({ name })),
        client.prefetchQuery(trpc.fixtures.list.queryOptions({ model: name })),
      ]}
    >
      <PlaygroundPage name={name} />
    </Prefetch>
  );
}
