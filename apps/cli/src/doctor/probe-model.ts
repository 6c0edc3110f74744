/** A model that adds 1 to its input of floats, as model-authoring's `offsetModel(1)` writes it. */
export const PROBE_MODEL_BASE64 =
  "CAgSBm5lcmVpZDqJAQofCghRVUVTVElPTgoGb2Zmc2V0EgZBTlNXRVIiA0FkZBIGb2Zmc2V0KhIIARABQgZvZmZzZXRKBAAAgD9aJQoIUVVFU1RJT04SGQoXCAESEwoHEgViYXRjaAoIEgZsZW5ndGhiIwoGQU5TV0VSEhkKFwgBEhMKBxIFYmF0Y2gKCBIGbGVuZ3RoQgQKABAR";
