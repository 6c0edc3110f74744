/** Core errors of Triton begin with the request's id; an empty one is spelled `<id_unknown>`. */
export function requestPrefix(id: string): string {
  return `[request id: ${id === "" ? "<id_unknown>" : id}] `;
}

/** `[1,16]`, as Triton prints shapes. */
export function shapeText(shape: readonly number[]): string {
  return `[${shape.join(",")}]`;
}
