/** Where a measurement writes, and how it hears that it is to stop. */
export interface PerfOutput {
  line(text: string): void;
  /** One line that is replaced; nothing where nobody watches. */
  progress(text: string): void;
  /** Resolves after so many milliseconds, or at once when it is to stop. */
  pause(ms: number): Promise<void>;
  stopped(): boolean;
}
