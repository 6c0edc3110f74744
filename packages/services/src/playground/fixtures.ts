import { randomUUID } from "node:crypto";
import type { Fixture } from "@nereid/db";
import { NereidError } from "@nereid/errors";
import { z } from "zod";
import { authorise } from "../access/permissions.ts";
import { changeRecords } from "../change-records.ts";
import type { Call } from "../context.ts";
import { modelName } from "../models/model-name.ts";
import { parseInput } from "../parse-input.ts";
import { bytesOfInputs, sendable, tryRequest } from "./try-input.ts";

/** Bytes of inputs that are kept with a name. */
const MOST_BYTES = 512 * 1024;
const MOST_FIXTURES = 100;

const fixtureName = z
  .string()
  .trim()
  .min(1)
  .max(80)
  .refine((name) => !/[/\\\p{Cc}\p{Surrogate}]/u.test(name), "is not a name: it has a slash or a control character");

export const fixturesInput = z.object({ model: modelName });
export const fixtureInput = z.object({ model: modelName, name: fixtureName });
export const saveFixtureInput = fixtureInput.extend({ request: tryRequest.superRefine(sendable) });

/** A request that is kept with a name, without its values. */
export interface FixtureRow {
  readonly name: string;
  readonly inputs: readonly { readonly name: string; readonly datatype: string; readonly shape: readonly number[] }[];
  readonly bytes: number;
  readonly createdAt: Date;
  readonly authorName: string;
}

export interface FixtureRecord extends FixtureRow {
  readonly request: z.output<typeof tryRequest>;
}

/** The kept requests of a model, by name. */
export async function listFixtures({ ctx, input }: Call<z.input<typeof fixturesInput>>): Promise<FixtureRow[]> {
  authorise(ctx.actor, "model.read");
  const { model } = parseInput(fixturesInput, input);
  const rows = await ctx.db.fixture.findMany({ where: { model }, orderBy: { name: "asc" } });
  return rows.map(toRecord).map(({ request: _values, ...row }) => row);
}

/** One kept request with its values. NOT_FOUND where there is none of that name. */
export async function getFixture({ ctx, input }: Call<z.input<typeof fixtureInput>>): Promise<FixtureRecord> {
  authorise(ctx.actor, "model.read");
  const { model, name } = parseInput(fixtureInput, input);
  const row = await ctx.db.fixture.findUnique({ where: { model_name: { model, name } } });
  if (row === null) throw noSuchFixture(model, name);
  return toRecord(row);
}

/** Keeps a request under a name, in the place of another one of that name. Audited without the values. */
export async function saveFixture({ ctx, input }: Call<z.input<typeof saveFixtureInput>>): Promise<FixtureRecord> {
  return changeRecords(ctx, {
    action: "fixture.save",
    permission: "model.infer",
    targetType: "fixture",
    targetId: targetOf(input),
    work: async (tx) => {
      const { model, name, request } = parseInput(saveFixtureInput, input);
      const bytes = bytesOfInputs(request.inputs);
      if (bytes > MOST_BYTES) {
        throw new NereidError(
          "PAYLOAD_TOO_LARGE",
          `the inputs have ${bytes} bytes; a fixture has at most ${MOST_BYTES}`,
          {
            fix: "keep a smaller batch, or download the request as a file",
          },
        );
      }
      const place = { model, name };
      const old = await tx.fixture.findUnique({ where: { model_name: place } });
      if (old === null && (await tx.fixture.count({ where: { model } })) >= MOST_FIXTURES) {
        throw new NereidError("CONFLICT", `${model} has ${MOST_FIXTURES} fixtures already`, {
          fix: "delete those nobody needs",
        });
      }
      const fields = { body: request, createdAt: new Date(ctx.clock.now()), authorName: ctx.actor.name };
      const row = await tx.fixture.upsert({
        where: { model_name: place },
        create: { id: randomUUID(), ...place, ...fields },
        update: fields,
      });
      return {
        result: toRecord(row),
        ...(old !== null && { before: summaryOf(toRecord(old)) }),
        after: summaryOf(toRecord(row)),
      };
    },
  });
}

/** Deletes a kept request; answers what it was, so that it can be kept again. */
export async function removeFixture({ ctx, input }: Call<z.input<typeof fixtureInput>>): Promise<FixtureRecord> {
  return changeRecords(ctx, {
    action: "fixture.remove",
    permission: "model.infer",
    targetType: "fixture",
    targetId: targetOf(input),
    work: async (tx) => {
      const { model, name } = parseInput(fixtureInput, input);
      const row = await tx.fixture.findUnique({ where: { model_name: { model, name } } });
      if (row === null) throw noSuchFixture(model, name);
      await tx.fixture.delete({ where: { id: row.id } });
      return { result: toRecord(row), before: summaryOf(toRecord(row)) };
    },
  });
}

function toRecord({ name, body, createdAt, authorName }: Fixture): FixtureRecord {
  // Written by `saveFixture` alone; read again so that a later form of it is noticed here.
  const request = tryRequest.parse(body);
  const inputs = request.inputs.map((one) => ({ name: one.name, datatype: one.datatype, shape: one.shape }));
  return { name, inputs, bytes: bytesOfInputs(request.inputs), createdAt, authorName, request };
}

function summaryOf({ name, inputs, bytes, request }: FixtureRecord) {
  return {
    name,
    bytes,
    protocol: request.protocol,
    inputs: inputs.map((one) => `${one.name} ${one.datatype} [${one.shape.join(", ")}]`),
  };
}

function targetOf(input: unknown): string {
  const found = z.object({ model: z.string(), name: z.string() }).safeParse(input);
  return found.success ? `${found.data.model}/${found.data.name}`.slice(0, 400) : "";
}

function noSuchFixture(model: string, name: string): NereidError {
  return new NereidError("NOT_FOUND", `${model} has no fixture '${name}'`, {
    fix: "it may have been deleted; look at the list",
  });
}
