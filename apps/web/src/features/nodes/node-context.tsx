"use client";

import type { NodeChoice } from "@nereid/services";
import { Button, Message } from "@nereid/ui";
import { useQuery } from "@tanstack/react-query";
import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { createContext, Fragment, type ReactNode, useContext, useEffect, useState } from "react";
import { ApiProvider, useTRPC } from "../../lib/trpc.tsx";
import { type ChosenNode, lookAtAddress, NODE_PARAM, nodeOfSearch, withNode } from "./chosen-node.ts";

const REFRESH_MS = 5_000;

export interface NodeView {
  /** Null = the local node. */
  readonly id: string | null;
  /** What is known of it; undefined until the list has come. */
  readonly node: NodeChoice | undefined;
  /** All nodes, the local one first. */
  readonly choices: readonly NodeChoice[];
  choose(id: string | null): void;
}

const LOCAL_ONLY: NodeView = { id: null, node: undefined, choices: [], choose: () => {} };

const NodeContext = createContext<NodeView>(LOCAL_ONLY);

/** The node that the page is about, and the others. */
export function useNode(): NodeView {
  return useContext(NodeContext);
}

/** Lets everything inside speak with the node that the address names, and keeps that choice from link to link. */
export function NodeProvider({ children }: { readonly children: ReactNode }) {
  const trpc = useTRPC();
  const router = useRouter();
  const pathname = usePathname();
  const params = useSearchParams();
  const inAddress = params.get(NODE_PARAM);
  const [chosen, setChosen] = useState<ChosenNode>(() => lookAtAddress({ node: null, seen: null }, inAddress));
  const now = lookAtAddress(chosen, inAddress);
  if (now !== chosen) setChosen(now);
  const { node: id, following = false } = now;
  // Asked of the dashboard itself, so that the list is there when the chosen node is gone.
  const { data: choices = [] } = useQuery(trpc.nodes.choices.queryOptions(undefined, { refetchInterval: REFRESH_MS }));

  useEffect(() => {
    // The router's own address follows a little later: until then nothing may be read from it.
    const onBack = () =>
      setChosen(({ seen }) => ({ node: nodeOfSearch(window.location.search), seen, following: true }));
    addEventListener("popstate", onBack);
    return () => removeEventListener("popstate", onBack);
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each page that a link leads to must get it
  useEffect(() => {
    if (id === null || inAddress !== null || following) return;
    const { pathname: path, search, hash } = window.location;
    window.history.replaceState(null, "", withNode(`${path}${search}${hash}`, id));
  }, [id, inAddress, following, pathname]);

  const choose = (next: string | null) => {
    setChosen({ node: next, seen: inAddress, following: true });
    router.push(withNode(`${pathname}?${params}`, next));
  };
  const gone = id !== null && choices.length > 0 && choices.every((one) => one.id !== id);
  const view = { id, node: choices.find((one) => one.id === (id ?? "local")), choices, choose };
  return (
    <NodeContext value={view}>
      <ApiProvider node={id}>
        {gone ? (
          <Message
            page
            kind="missing"
            title="This node is not looked after any more"
            action={<Button onClick={() => choose(null)}>Go to the local node</Button>}
          >
            It was removed from the dashboard, or the address is wrong.
          </Message>
        ) : (
          <Fragment key={id}>{children}</Fragment>
        )}
      </ApiProvider>
    </NodeContext>
  );
}
