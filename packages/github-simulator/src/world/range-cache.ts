/** What git found out about two shas, which never changes; the newest answers are kept. */
export interface RangeCache<T> {
  get(baseSha: string, headSha: string): Promise<T>;
}

const MAX_ENTRIES = 200;

export function createRangeCache<T>(find: (baseSha: string, headSha: string) => Promise<T>): RangeCache<T> {
  const entries = new Map<string, Promise<T>>();
  return {
    get: (baseSha, headSha) => {
      const key = `${baseSha}...${headSha}`;
      const known = entries.get(key);
      if (known !== undefined) return known;
      const found = find(baseSha, headSha);
      entries.set(key, found);
      // A failure is told to who asked, and asked again next time.
      found.catch(() => entries.delete(key));
      for (const oldest of entries.keys()) {
        if (entries.size <= MAX_ENTRIES) break;
        entries.delete(oldest);
      }
      return found;
    },
  };
}
