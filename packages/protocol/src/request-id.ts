/** Front of the error texts the core writes about a request (http.md §1). */
export function requestIdPrefix(id: string): string {
  return `[request id: ${id === "" ? "<id_unknown>" : id}] `;
}
