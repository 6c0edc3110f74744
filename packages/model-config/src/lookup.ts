/** The table's own entry for a key that comes from outside; inherited names such as `constructor` are not found. */
export function lookup<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
