import type { Comparison } from '../git/index.ts';

/** Comparisons of shas, which never change; the newest ones are kept. */
export interface ComparisonCache {
  get(baseSha: string, headSha: string): Promise<Comparison>;
}

const MAX_ENTRIES = 200;

export function createComparisonCache(
  compare: (baseSha: string, headSha: string) => Promise<Comparison>,
): ComparisonCache {
  const entries = new Map<string, Promise<Comparison>>();
  return {
    get: (baseSha, headSha) => {
      const key = `${baseSha}...${headSha}`;
      const known = entries.get(key);
      if (known !== undefined) return known;
      const made = compare(baseSha, headSha);
      entries.set(key, made);
      // A failure is told to who asked, and asked again next time.
      made.catch(() => entries.delete(key));
      for (const oldest of entries.keys()) {
        if (entries.size <= MAX_ENTRIES) break;
        entries.delete(oldest);
      }
      return made;
    },
  };
}
