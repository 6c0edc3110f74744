import type { Permission } from "@nereid/services";
import type { z } from "zod";

export type RestMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** How a procedure is reached under /api/v1, and what its document says of it. */
export interface RestRoute {
  readonly method: RestMethod;
  /** Below /api/v1; `{name}` takes that field of the input from the path. */
  readonly path: `/${string}`;
  readonly summary: string;
  /** `session` = any signed-in caller or key, `public` = nobody need sign in. */
  readonly permission: Permission | "session" | "public";
  /** What a successful call answers, under the name that the document gives it; without one, 204. */
  readonly output?: { readonly name: string; readonly schema: z.ZodType };
}

/** Meta of every procedure; only streams have no route. */
export interface ProcedureMeta {
  readonly rest?: RestRoute;
}
