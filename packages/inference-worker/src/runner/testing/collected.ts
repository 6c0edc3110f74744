import { decodeTensorValues, type ParameterValue } from "@nereid/protocol";
import type { ExecutionTimes, RequestsTicket, ResponseSink, RunnerResponse } from "../../runners/requests-execution.ts";

/** A response as tests look at it: values by output, texts for BYTES. */
export interface SeenResponse {
  readonly outputs: Readonly<Record<string, unknown>>;
  readonly parameters?: Readonly<Record<string, ParameterValue>>;
  readonly error?: { readonly code: string; readonly message: string };
  readonly final: boolean;
  readonly reschedule?: true;
}

/** Every response of an execution, as it came. Memory is given back at once unless `hold` is set. */
export class Collected {
  readonly seen: SeenResponse[][];
  /** What came in which order: the index of a response's request, or "returned". */
  readonly order: (number | "returned")[] = [];
  readonly held: RunnerResponse[] = [];
  hold = false;
  readonly ticket: RequestsTicket;
  #changed: () => void = () => undefined;

  constructor(count: number, start: (sink: ResponseSink) => RequestsTicket) {
    this.seen = Array.from({ length: count }, () => []);
    this.ticket = start({
      response: (index, response) => this.#take(index, response),
      returned: () => this.order.push("returned"),
    });
  }

  get returned(): Promise<ExecutionTimes> {
    return this.ticket.returned;
  }

  /** All responses once every request had its final one. */
  async all(): Promise<SeenResponse[][]> {
    await this.until(() => this.seen.every((responses) => responses.at(-1)?.final === true));
    return this.seen;
  }

  /** The only response of each request. */
  async single(): Promise<SeenResponse[]> {
    return (await this.all()).map((responses) => {
      const [only] = responses;
      if (only === undefined || responses.length > 1) throw new Error(`${responses.length} responses`);
      return only;
    });
  }

  async until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      await new Promise<void>((resolve) => {
        this.#changed = resolve;
      });
    }
  }

  #take(index: number, response: RunnerResponse): void {
    if (this.seen[index]?.at(-1)?.final === true) throw new Error(`request ${index} had its final response`);
    this.order.push(index);
    this.seen[index]?.push(look(response));
    if (this.hold) this.held.push(response);
    else response.release();
    this.#changed();
  }
}

function look({ outputs, parameters, error, final, reschedule }: RunnerResponse): SeenResponse {
  return {
    outputs: Object.fromEntries(outputs.map(({ ref, bytes }) => [ref.name, valuesOf(ref.datatype, bytes)])),
    ...(parameters && { parameters: Object.fromEntries(parameters) }),
    ...(error && { error: { code: error.code, message: error.message } }),
    final,
    ...(reschedule && { reschedule }),
  };
}

function valuesOf(datatype: Parameters<typeof decodeTensorValues>[0], bytes: Uint8Array): unknown[] {
  // A copy: the memory goes back before the test looks.
  const values = decodeTensorValues(datatype, bytes.slice());
  return Array.from(values as ArrayLike<unknown>, (value) =>
    value instanceof Uint8Array ? Buffer.from(value).toString("utf8") : value,
  );
}
