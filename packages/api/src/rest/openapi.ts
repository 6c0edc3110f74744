import { ERROR_CODES } from "@nereid/errors";
import { EXTRA_PATHS } from "./extra-paths.ts";
import { type JsonSchema, propertiesOf, toJsonSchema } from "./json-schema.ts";
import { inputSchemaOf } from "./read-input.ts";
import { OPERATIONS, parameterOf, type RestOperation } from "./routes.ts";

const PROBLEM = {
  type: "object",
  description: "A failure, as RFC 9457 has it.",
  properties: {
    type: { type: "string", description: "urn:nereid:problem: and the code in lower case" },
    title: { type: "string" },
    status: { type: "integer" },
    detail: { type: "string", description: "What was wrong, where" },
    code: { type: "string", enum: [...ERROR_CODES] },
    fix: { type: "string", description: "What to do about it" },
    requestId: { type: "string", description: "Also in the server's log and in the audit trail" },
    details: { type: "object", additionalProperties: true },
  },
  required: ["type", "title", "status", "detail", "code", "requestId"],
} as const;

const PROBLEM_ANSWER = {
  description: "A failure",
  content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
};

const STATUSES = [400, 401, 403, 404, 409, 429, 500, 503] as const;

let made: JsonSchema | undefined;

/** The OpenAPI 3.1 document of everything under /api/v1, made of the procedures' own schemas. */
export function openApiDocument(): JsonSchema {
  made ??= makeDocument();
  return made;
}

function makeDocument(): JsonSchema {
  const paths: Record<string, Record<string, unknown>> = {};
  const schemas: Record<string, unknown> = { Problem: PROBLEM };
  for (const operation of OPERATIONS) {
    const { method, path, output } = operation.route;
    if (output !== undefined) schemas[output.name] ??= toJsonSchema(output.schema, "output");
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationObject(operation) };
  }
  for (const [path, item] of Object.entries(EXTRA_PATHS)) paths[path] = { ...paths[path], ...item };
  return {
    openapi: "3.1.0",
    info: {
      title: "Nereid management API",
      version: "1",
      description: "Everything the dashboard does. Inference itself is on the server's own ports.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/api/v1" }],
    security: [{ key: [] }, { session: [] }],
    tags: [...new Set(OPERATIONS.map(({ name }) => tagOf(name)))].map((name) => ({ name })),
    paths,
    components: {
      schemas,
      responses: { Problem: PROBLEM_ANSWER },
      securitySchemes: {
        key: { type: "http", scheme: "bearer", description: "An API key: nrd_…" },
        session: {
          type: "apiKey",
          in: "cookie",
          name: "nereid.session_token",
          description:
            "The dashboard's session; changes must come from its own origin. Over HTTPS the name begins with __Secure-.",
        },
      },
    },
  };
}

function operationObject(operation: RestOperation): JsonSchema {
  const { name, route, segments } = operation;
  const schema = inputSchemaOf(operation);
  const properties = propertiesOf(schema);
  const inPath = segments.map(parameterOf).filter((found) => found !== undefined);
  const rest = Object.keys(properties).filter((property) => !inPath.includes(property));
  const required = requiredOf(schema);
  const inQuery = route.method === "GET" || route.method === "DELETE";
  const parameters = [
    ...inPath.map((property) => ({
      name: property,
      in: "path",
      required: true,
      schema: properties[property] ?? { type: "string" },
    })),
    ...(inQuery ? rest : []).map((property) => ({
      name: property,
      in: "query",
      required: required.includes(property),
      schema: properties[property],
    })),
  ];
  const body = {
    type: "object",
    properties: Object.fromEntries(rest.map((property) => [property, properties[property]])),
    required: required.filter((property) => rest.includes(property)),
  };
  return {
    operationId: name,
    tags: [tagOf(name)],
    summary: route.summary,
    description: descriptionOf(operation),
    ...(route.permission === "public" ? { security: [] } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(inQuery || rest.length === 0
      ? {}
      : { requestBody: { required: body.required.length > 0, content: { "application/json": { schema: body } } } }),
    responses: {
      ...(route.output === undefined
        ? { "204": { description: "Done" } }
        : {
            "200": {
              description: "Done",
              content: { "application/json": { schema: { $ref: `#/components/schemas/${route.output.name}` } } },
            },
          }),
      ...Object.fromEntries(STATUSES.map((status) => [String(status), { $ref: "#/components/responses/Problem" }])),
    },
  };
}

function descriptionOf({ route }: RestOperation): string {
  switch (route.permission) {
    case "public":
      return "Needs no session.";
    case "session":
      return "Needs a session or a key.";
    default:
      return `Needs the permission ${route.permission}.`;
  }
}

export function requiredOf(schema: JsonSchema | undefined): readonly string[] {
  const found = schema?.["required"];
  return Array.isArray(found) ? found.map(String) : [];
}

function tagOf(name: string): string {
  return name.split(".")[0] ?? name;
}
