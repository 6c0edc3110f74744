import type { ModelMetadata, RepositoryIndexEntry, ServerMetadata, TensorMetadata } from "./metadata-types.ts";

/** Body of every error answer (http.md §1). */
export function errorBody(text: string): string {
  return JSON.stringify({ error: text });
}

/** Body of `GET /v2` (http.md §4). */
export function serverMetadataJson({ name, version, extensions }: ServerMetadata): string {
  return JSON.stringify({ name, version, extensions });
}

/** Body of `GET /v2/models/M` (http.md §5). */
export function modelMetadataJson({ name, versions, platform, inputs, outputs }: ModelMetadata): string {
  return JSON.stringify({ name, versions, platform, inputs: inputs.map(tensor), outputs: outputs.map(tensor) });
}

/** Body of the repository index: a bare array; an empty reason is left out (http.md §6). */
export function repositoryIndexJson(entries: readonly RepositoryIndexEntry[]): string {
  return JSON.stringify(
    entries.map(({ name, version, state, reason }) => ({
      name,
      ...(version === undefined ? {} : { version }),
      ...(state === undefined ? {} : { state }),
      ...(reason === undefined || reason === "" ? {} : { reason }),
    })),
  );
}

function tensor({ name, datatype, shape }: TensorMetadata): TensorMetadata {
  return { name, datatype, shape };
}
