import type { NereidError } from "@nereid/errors";
import type { ValidRequest } from "../request/valid-request.ts";
import type { QueuedRequest, QueuePlace } from "../scheduler/request-scheduler.ts";
import type { SimulatedArrival } from "./arrivals.ts";

type OnRefused = (request: SimulatedRequest, error: NereidError) => void;

/** A request of a simulation, as the scheduler sees it. */
export class SimulatedRequest implements QueuedRequest {
  /** Number in the order of arrival. */
  readonly index: number;
  readonly arrival: SimulatedArrival;
  readonly request: ValidRequest;
  readonly batchSize: number;
  readonly shapeKey: string;
  readonly enqueuedNs: number;
  readonly cost: number;
  place: QueuePlace | undefined = undefined;
  readonly #onRefused: OnRefused;

  constructor(index: number, arrival: SimulatedArrival, onRefused: OnRefused) {
    const { batchSize, shapeKey, timeoutNs, byteLength, priority, deadlineNs } = arrival;
    this.index = index;
    this.arrival = arrival;
    this.batchSize = batchSize;
    this.shapeKey = shapeKey;
    this.enqueuedNs = arrival.atNs;
    this.cost = arrival.cost;
    this.request = {
      id: "",
      batchSize,
      inputs: [],
      outputs: [],
      shapeKey,
      timeoutNs,
      byteLength,
      priority,
      sequence: undefined,
      parameters: NO_PARAMETERS,
      deadlineNs,
    };
    this.#onRefused = onRefused;
  }

  refuse(error: NereidError): void {
    this.#onRefused(this, error);
  }
}

const NO_PARAMETERS: ValidRequest["parameters"] = new Map();
