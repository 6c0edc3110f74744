export interface CoreShare {
  /** Threads of one instance's intra-op pool. */
  readonly intraOpThreads: number;
  /** Set when the instances together ask for more threads than there are cores. */
  readonly oversubscribed: string | undefined;
}

/**
 * Divides cores among the CPU instances of a model. Every instance gets at least one thread; the engine's own default (all
 * cores for each session) makes two instances slower than one. `asked` overrides, and is warned about when it is too much.
 */
export function divideCores(cores: number, instances: number, asked?: number): CoreShare {
  const intraOpThreads = asked ?? Math.max(1, Math.floor(cores / Math.max(1, instances)));
  const total = intraOpThreads * instances;
  const oversubscribed =
    total > cores
      ? `${instances} instances of ${intraOpThreads} threads want ${total} cores, and there are ${cores}; lower instance_group.count or intra_op_thread_count`
      : undefined;
  return { intraOpThreads, oversubscribed };
}
