import type { PackedPoint } from "./chunk-codec.ts";

/** How values of one kind are added up and written. */
export interface Folding<Value> {
  readonly add: (a: Value, b: Value) => Value;
  readonly encode: (value: Value) => Uint8Array;
  readonly decode: (bytes: Uint8Array) => Value;
}

/** The points of one series in one chunk. All but the newest are kept as bytes: as objects an hour of 200 models would be tens of megabytes. */
export class OpenSeries<Value> {
  readonly #folding: Folding<Value>;
  readonly #packed = new Map<number, Uint8Array>();
  #newest: { readonly t: number; readonly value: Value } | undefined;

  constructor(folding: Folding<Value>) {
    this.#folding = folding;
  }

  /** Adds a value to the step that begins at `t`. */
  add(t: number, value: Value): void {
    const newest = this.#newest;
    if (newest?.t === t) {
      this.#newest = { t, value: this.#folding.add(newest.value, value) };
      return;
    }
    const there = this.#packed.get(t);
    this.#pack();
    this.#packed.delete(t);
    this.#newest = { t, value: there === undefined ? value : this.#folding.add(this.#folding.decode(there), value) };
  }

  /** Its points, oldest first. */
  points(): PackedPoint[] {
    const newest = this.#newest;
    const points = [...this.#packed].map(([t, bytes]) => ({ t, bytes }));
    if (newest !== undefined) points.push({ t: newest.t, bytes: this.#folding.encode(newest.value) });
    return points.sort((a, b) => a.t - b.t);
  }

  #pack(): void {
    if (this.#newest === undefined) return;
    this.#packed.set(this.#newest.t, this.#folding.encode(this.#newest.value));
    this.#newest = undefined;
  }
}
