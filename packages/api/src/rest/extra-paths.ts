/** What is under /api/v1 and no procedure: streams of bytes. */
const PROBLEM = { $ref: "#/components/responses/Problem" };
const FAILURES = { "400": PROBLEM, "401": PROBLEM, "403": PROBLEM, "404": PROBLEM, "503": PROBLEM };

const text = (name: string, where: "path" | "query" | "header", required = where === "path") => ({
  name,
  in: where,
  required,
  schema: { type: "string" },
});

const tus = { ...text("Tus-Resumable", "header", true), schema: { type: "string", const: "1.0.0" } };
const length = (name: string) => ({ ...text(name, "header", true), schema: { type: "integer", minimum: 0 } });

const upload = (operationId: string, summary: string) => ({
  operationId,
  tags: ["uploads"],
  summary,
  description: "Needs the permission model.deploy. The protocol is tus 1.0.0.",
});

export const EXTRA_PATHS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "/uploads": {
    post: {
      ...upload("uploads.create", "Begin the upload of one file of a draft"),
      parameters: [tus, length("Upload-Length"), text("Upload-Metadata", "header", true)],
      responses: { "201": { description: "Begun; Location says where to send it" }, ...FAILURES },
    },
  },
  "/uploads/{id}": {
    head: {
      ...upload("uploads.position", "How much of an upload has arrived"),
      parameters: [text("id", "path"), tus],
      responses: { "200": { description: "Upload-Offset says it" }, ...FAILURES },
    },
    patch: {
      ...upload("uploads.send", "Send a piece of a file"),
      parameters: [text("id", "path"), tus, length("Upload-Offset")],
      requestBody: {
        required: true,
        content: { "application/offset+octet-stream": { schema: { type: "string", format: "binary" } } },
      },
      responses: { "204": { description: "Upload-Offset says how much has arrived" }, ...FAILURES },
    },
    delete: {
      ...upload("uploads.abandon", "Give an upload up"),
      parameters: [text("id", "path"), tus],
      responses: { "204": { description: "Done" }, ...FAILURES },
    },
  },
  "/models/{name}/versions/{version}/archive": {
    get: {
      operationId: "versions.archive",
      tags: ["versions"],
      summary: "The files of a version as a tar archive",
      description: "Needs the permission model.read.",
      parameters: [text("name", "path"), text("version", "path")],
      responses: {
        "200": {
          description: "The archive",
          content: { "application/x-tar": { schema: { type: "string", format: "binary" } } },
        },
        ...FAILURES,
      },
    },
  },
  "/audit/export": {
    get: {
      operationId: "audit.export",
      tags: ["audit"],
      summary: "The audit trail as text, oldest first; takes the filters of GET /audit too",
      description: "Needs the permission audit.read.",
      parameters: [
        { ...text("format", "query"), schema: { type: "string", enum: ["csv", "jsonl"], default: "jsonl" } },
      ],
      responses: {
        "200": {
          description: "The trail",
          content: {
            "text/csv": { schema: { type: "string" } },
            "application/jsonl": { schema: { type: "string" } },
          },
        },
        ...FAILURES,
      },
    },
  },
  "/openapi.json": {
    get: {
      operationId: "openapi",
      tags: ["document"],
      summary: "This document",
      description: "Needs a session or a key.",
      responses: {
        "200": { description: "OpenAPI 3.1", content: { "application/json": { schema: { type: "object" } } } },
        "401": PROBLEM,
      },
    },
  },
};
