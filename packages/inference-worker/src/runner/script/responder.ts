import { NereidError } from "@nereid/errors";
import type { Datatype } from "@nereid/protocol";
import { type EncodedResponse, readScriptResponse } from "./read-script-response.ts";
import type { Delivery, Room } from "./script-run.ts";

interface ResponderHost {
  readonly decoupled: boolean;
  /** Names of the wanted outputs. */
  readonly outputs: readonly string[];
  readonly datatypes: ReadonlyMap<string, Datatype>;
  room(response: EncodedResponse): Promise<Room | undefined> | Room;
  respond(delivery: Delivery): void;
}

const NOTHING: EncodedResponse = { outputs: [] };

/**
 * The responses of one request. Of a decoupled model they go out as they are given; the single one of another model is kept until
 * its execution is over, so that a second one can still be an error.
 */
export class Responder {
  readonly #host: ResponderHost;
  /** Made when first asked for: most requests never look. */
  #abort: AbortController | undefined;
  #cancelled = false;
  /** "failed": closed by an error that was not the script's own response; sending is then in vain but no mistake. */
  #state: "open" | "closed" | "failed" = "open";
  #kept: unknown[] = [];
  #reschedule = false;
  #delivered: Promise<unknown> = Promise.resolve();

  constructor(host: ResponderHost) {
    this.#host = host;
  }

  get signal(): AbortSignal {
    if (this.#abort === undefined) {
      this.#abort = new AbortController();
      if (this.#cancelled) this.#abort.abort();
    }
    return this.#abort.signal;
  }

  /** Everything given so far has left. */
  get delivered(): Promise<unknown> {
    return this.#delivered;
  }

  /** Whether nothing needs to be returned for the request. */
  get answered(): boolean {
    return this.#state !== "open" || this.#kept.length > 0 || this.#reschedule;
  }

  cancel(): void {
    this.#cancelled = true;
    this.#abort?.abort();
  }

  /** See `ScriptRequest.send`. */
  async send(response: unknown, final: boolean): Promise<boolean> {
    if (this.#state === "failed") return false;
    if (this.#state === "closed") throw new Error("the request already had its final response");
    if (!this.#host.decoupled) {
      this.#kept.push(response);
      return true;
    }
    const encoded = this.#encode(response);
    if (encoded === undefined) return false;
    if (final) this.#state = "closed";
    return this.#deliver(encoded, { final, reschedule: false });
  }

  end(): void {
    if (!this.#host.decoupled || this.#state === "failed") return;
    if (this.#state === "closed") throw new Error("the request already had its final response");
    this.#state = "closed";
    this.#finish(NOTHING, false);
  }

  reschedule(): void {
    if (this.#state === "failed") return;
    if (this.#state === "closed") throw new Error("the request already had its final response");
    this.#reschedule = true;
    if (!this.#host.decoupled) return;
    this.#state = "closed";
    this.#finish(NOTHING, true);
  }

  fail(code: string, message: string): void {
    if (this.#state !== "open") return;
    this.#state = "failed";
    this.#finish({ outputs: [], error: { code, message } }, false);
  }

  /** The execution of a model that is not decoupled is over, and this is what it returned for the request. */
  settle(returned: unknown): void {
    if (this.#state !== "open") return;
    const answers = returned === undefined || returned === null ? this.#kept : [...this.#kept, returned];
    this.#kept = [];
    const misfit = misfitOf(answers.length, this.#reschedule);
    if (misfit !== undefined) {
      this.fail("INTERNAL", misfit);
    } else if (this.#reschedule) {
      this.#state = "closed";
      this.#finish(NOTHING, true);
    } else {
      const encoded = this.#encode(answers[0]);
      if (encoded === undefined) return;
      this.#state = "closed";
      void this.#deliver(encoded, { final: true, reschedule: false });
    }
  }

  #encode(response: unknown): EncodedResponse | undefined {
    try {
      const { outputs, datatypes } = this.#host;
      return readScriptResponse(response, { outputs, datatypes });
    } catch (error) {
      const { code, message } = NereidError.from(error);
      this.fail(code, message);
      return undefined;
    }
  }

  /** In the order given, also where room comes in another; false when nobody wants it. */
  #deliver(response: EncodedResponse, how: { final: boolean; reschedule: boolean }): Promise<boolean> {
    const asked = this.#host.room(response);
    return this.#inTurn(async () => {
      const room = await asked;
      if (room !== undefined || how.final) this.#host.respond({ response: room ? response : NOTHING, room, ...how });
      return room !== undefined;
    });
  }

  /** A final response that takes no room. */
  #finish(response: EncodedResponse, reschedule: boolean): void {
    void this.#inTurn(() => this.#host.respond({ response, room: undefined, final: true, reschedule }));
  }

  #inTurn<T>(act: () => T | Promise<T>): Promise<T> {
    const turn = this.#delivered.then(act);
    this.#delivered = turn;
    return turn;
  }
}

/** Why so many responses are not right for a request of a model that is not decoupled. */
function misfitOf(answers: number, reschedule: boolean): string | undefined {
  if (reschedule) return answers > 0 ? "a request that is rescheduled cannot be answered too" : undefined;
  if (answers === 0) return "execute gave no response for the request";
  return answers > 1 ? `expected a single response, got ${answers}` : undefined;
}
