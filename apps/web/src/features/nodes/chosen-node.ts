/** The name under which the choice stands in addresses. */
export const NODE_PARAM = "node";

export interface ChosenNode {
  /** Null = the local node. */
  readonly node: string | null;
  /** What the address said when it was last looked at. */
  readonly seen: string | null;
  /** Chosen by hand: the address is on its way and must not be put right. */
  readonly following?: true;
}

/**
 * The choice after a look at the address. An address that names a node decides; one that names none is a link that did not think of
 * nodes, and keeps the choice.
 */
export function lookAtAddress(chosen: ChosenNode, inAddress: string | null): ChosenNode {
  if (chosen.seen === inAddress) return chosen;
  return { node: inAddress === null ? chosen.node : plain(inAddress), seen: inAddress };
}

/** The node of an address that stands by itself: typed in, or gone back to. */
export function nodeOfSearch(search: string): string | null {
  return plain(new URLSearchParams(search).get(NODE_PARAM));
}

/** The address with this node in it; without one for the local node. */
export function withNode(href: string, node: string | null): string {
  const [rest = "", hash] = href.split("#");
  const [path = "", query] = rest.split("?");
  const params = new URLSearchParams(query);
  if (node === null) params.delete(NODE_PARAM);
  else params.set(NODE_PARAM, node);
  const text = params.size === 0 ? path : `${path}?${params}`;
  return hash === undefined ? text : `${text}#${hash}`;
}

function plain(node: string | null): string | null {
  return node === null || node === "" || node === "local" ? null : node;
}
