/** Values by each of their keys, in their order. */
export function grouped<T>(
  values: readonly T[],
  keysOf: (value: T) => readonly string[],
): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) {
    for (const key of keysOf(value)) {
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [value]);
      else group.push(value);
    }
  }
  return groups;
}
