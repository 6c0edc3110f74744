import type { LoadProgress } from "./load-progress.ts";

/** A load that is not asked for yet, such as one behind another change of the same model. */
export interface AnnouncedLoad {
  /** Its turn has come: from here on the load itself tells of it. Throws CANCELLED when nobody wants it any more. */
  begin(): void;
  /** It is over, or will never begin; call it in any case. */
  end(): void;
}

/** Loads that wait outside the manager: people see that they wait, and a cancel reaches them. */
export class AnnouncedLoads {
  readonly #waiting = new Map<string, Set<LoadProgress>>();

  add(model: string, progress: LoadProgress): AnnouncedLoad {
    const others = this.#waiting.get(model) ?? new Set();
    this.#waiting.set(model, others.add(progress));
    const end = () => {
      others.delete(progress);
      if (others.size === 0 && this.#waiting.get(model) === others) this.#waiting.delete(model);
    };
    return {
      begin: () => {
        end();
        progress.signal.throwIfAborted();
      },
      end,
    };
  }

  of(model: string): readonly LoadProgress[] {
    return [...(this.#waiting.get(model) ?? [])];
  }
}
