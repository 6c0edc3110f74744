import type { LogLine, NereidClient } from "@nereid/client";
import { NereidError } from "@nereid/errors";
import type { z } from "zod";
import { EXPECTED_ANSWERS, type ExpectedAnswer, logLine } from "./answer-schemas.ts";

const LOG_LINE: ExpectedAnswer = { what: "log line", schema: logLine };

/**
 * A client whose answers are what their types say: another server may answer anything, and what reads it would fail somewhere with words
 * that help nobody. An answer that is something else, or no JSON, throws UNAVAILABLE and names what was expected and where it is wrong.
 */
export function checkedClient(client: NereidClient): NereidClient {
  return new Proxy(client, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      const call = (...args: unknown[]): unknown => Reflect.apply(value, target, args);
      if (name === "logStream") return (...args: unknown[]) => checkedLines(call(...args));
      const expected = Object.entries(EXPECTED_ANSWERS).find(([method]) => method === name)?.[1];
      return expected === undefined ? call : async (...args: unknown[]) => checkAnswer(call(...args), expected);
    },
  });
}

async function checkAnswer(asked: unknown, expected: ExpectedAnswer): Promise<unknown> {
  let answer: unknown;
  try {
    answer = await asked;
  } catch (thrown) {
    throw isUnreadable(thrown) ? isNo(expected, "", thrown) : thrown;
  }
  return check(answer, expected);
}

async function* checkedLines(lines: unknown): AsyncGenerator<LogLine, void, undefined> {
  // `logStream` answers lines, or what was sent in their place.
  for await (const line of lines as AsyncIterable<LogLine>) {
    check(line, LOG_LINE);
    yield line;
  }
}

/** The answer itself, not a copy: fields that the schema does not name stay as they are. */
function check(answer: unknown, expected: ExpectedAnswer): unknown {
  const { success, error } = expected.schema.safeParse(answer);
  if (success) return answer;
  throw isNo(expected, wordsOf(error.issues[0]), error);
}

/** Whether the client stumbled over the answer. What the server itself refused has a status. */
function isUnreadable(thrown: unknown): boolean {
  if (thrown instanceof TypeError) return true;
  return thrown instanceof NereidError && thrown.code === "INTERNAL" && thrown.details["status"] === undefined;
}

function wordsOf(issue: z.core.$ZodIssue | undefined): string {
  if (issue === undefined) return "";
  return ` (${issue.path.length === 0 ? "" : `at ${issue.path.join(".").slice(0, 100)}: `}${issue.message.slice(0, 200)})`;
}

function isNo({ what }: ExpectedAnswer, where: string, cause: unknown): NereidError {
  return new NereidError("UNAVAILABLE", `the node answered something that is no ${what}${where}`, {
    fix: "check that its address is that of a server of this kind, and of a release that the dashboard knows",
    cause,
  });
}
