import { type Clock, candidateIn, type ModelManager, type ServedVersion } from "@nereid/inference-worker";
import { Comparer } from "./comparer.ts";
import { Shadow } from "./shadow.ts";
import { ShadowRoom } from "./shadow-room.ts";
import type { ShadowRules } from "./shadow-rules.ts";

/** The shadows of all models, by name; not remembered over a restart. */
export class Shadows {
  readonly #manager: ModelManager;
  readonly #clock: Clock;
  readonly #room: ShadowRoom;
  readonly #comparer = new Comparer();
  readonly #shadows = new Map<string, Shadow>();

  constructor(parts: { readonly manager: ModelManager; readonly clock: Clock }) {
    this.#manager = parts.manager;
    this.#clock = parts.clock;
    this.#room = new ShadowRoom({ nowMs: () => parts.clock.wallMs() });
  }

  of(model: string): Shadow | undefined {
    return this.#shadows.get(model);
  }

  /** Begins to count anew where there is one already. */
  start(model: string, rules: ShadowRules): Shadow {
    this.#shadows.get(model)?.end();
    const shadow = new Shadow({
      rules,
      target: () => this.#targetOf(model, rules.target),
      room: this.#room,
      comparer: this.#comparer,
      clock: this.#clock,
    });
    this.#shadows.set(model, shadow);
    return shadow;
  }

  stop(model: string): void {
    this.#shadows.get(model)?.end();
    this.#shadows.delete(model);
  }

  #targetOf(model: string, target: string): ServedVersion | undefined {
    const part = candidateIn(target);
    const entry = this.#manager.entry(part?.candidate ?? model);
    if (part !== undefined && entry?.candidateOf !== model) return undefined;
    const found = entry?.versions.get(part?.version ?? target);
    return found?.state === "READY" && found.served?.ready === true ? found.served : undefined;
  }
}
