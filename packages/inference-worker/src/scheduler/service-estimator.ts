/** Share of the newest execution in the averages. */
const ALPHA = 0.2;
/** How much smaller the estimates become by one doubt. */
const DOUBT = 0.98;

/**
 * How long executions take, learnt from those that were: moving averages of busy nanoseconds per execution and per unit of
 * cost, and how the one grows with the other.
 */
export class ServiceEstimator {
  #known = false;
  #cost = 0;
  #ns = 0;
  #costSquared = 0;
  #costTimesNs = 0;

  /** An execution of `cost` in all kept its instance busy for `executionNs`. */
  observe(cost: number, executionNs: number): void {
    if (!(executionNs >= 0) || !(cost >= 0)) return;
    const alpha = this.#known ? ALPHA : 1;
    this.#known = true;
    this.#cost += alpha * (cost - this.#cost);
    this.#ns += alpha * (executionNs - this.#ns);
    this.#costSquared += alpha * (cost * cost - this.#costSquared);
    this.#costTimesNs += alpha * (cost * executionNs - this.#costTimesNs);
  }

  /**
   * One request was refused because of an estimate. Without this, one measurement that was far too long (a first execution
   * that compiles) would refuse everything for ever, as nothing would be executed that corrects it.
   */
  doubt(): void {
    this.#ns *= DOUBT;
    this.#costTimesNs *= DOUBT;
  }

  /** Nanoseconds one execution of this cost takes; undefined while nothing is known. */
  executionNs(cost: number): number | undefined {
    if (!this.#known) return undefined;
    return Math.max(0, this.#ns + this.#slope() * (cost - this.#cost));
  }

  /** Nanoseconds of one instance for work of this cost, batched as it was lately; undefined while nothing is known. */
  workNs(cost: number): number | undefined {
    if (!this.#known || this.#cost === 0) return undefined;
    return (this.#ns / this.#cost) * cost;
  }

  /** Nanoseconds per unit of cost beyond what an execution takes anyway; all of it while the costs do not differ. */
  #slope(): number {
    if (this.#cost === 0) return 0;
    const proportional = this.#ns / this.#cost;
    const variance = this.#costSquared - this.#cost * this.#cost;
    if (variance <= 1e-9 * this.#costSquared) return proportional;
    const slope = (this.#costTimesNs - this.#cost * this.#ns) / variance;
    return Math.min(Math.max(0, slope), proportional);
  }
}
