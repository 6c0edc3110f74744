const WORDS: Readonly<Record<string, string>> = {
  single: "the model does not batch",
  full: "it was full",
  preferred: "it had reached a preferred size",
  "preferred-size": "it had reached a preferred size",
  "no-delay": "no delay is configured, so what waited was sent",
  "delay-over": "its oldest request had waited for the whole delay",
  "deadline-near": "a client’s deadline was near",
  "other-shape": "the next request had another shape",
  "next-too-large": "the next request did not fit in",
  "sequence-slots": "its sequences were ready",
};

/** Why a batch was sent, in words that follow “because”; the scheduler's own word where it is not known here. */
export function reasonWords(reason: string): string {
  return WORDS[reason] ?? reason;
}
