import type { Metadata } from "next";
import { modelParam } from "../../../../../features/models/model-param.ts";
import { ShapesPage } from "../../../../../features/shapes/shapes-page.tsx";
import { Prefetch } from "../../../../../server/prefetch.tsx";

type Props = PageProps<"/models/[model]/shapes">;

export async function generateMetadata(props: Props): Promise<Metadata> {
  return { title: `Shapes · ${await modelParam(props)} · Models` };
}

export default async function Page(props: Props) {
  const name = await modelParam(props);
  return (
    <Prefetch
      queries={({ trpc, client }) => [
        client.prefetchQuery(trpc.models.get.queryOptions({ name })),
        client.prefetchQuery(trpc.shapes.get.queryOptions({ name })),
      ]}
    >
      <ShapesPage name={name} />
    </Prefetch>
  );
}
