import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../lib/trpc.tsx";
import { usualShapes } from "./usual-shapes.ts";

/** Shapes to send to a model whose inputs vary, as a form has them; undefined until they are known. */
export function useUsualShapes(model: string): string | undefined {
  const trpc = useTRPC();
  const { data } = useQuery(
    trpc.shapes.get.queryOptions({ name: model }, { staleTime: 60_000, enabled: model !== "", retry: false }),
  );
  return data === undefined ? undefined : usualShapes(data.versions);
}
