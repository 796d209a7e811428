/** Steps of typing between two words (Levenshtein). */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/** The candidates that a person may have meant by `word`, nearest first, at most `max`. */
export function nearest(word: string, candidates: readonly string[], max = 3): readonly string[] {
  const asked = word.toLowerCase();
  const limit = Math.max(2, Math.ceil(asked.length / 3));
  return candidates
    .map((candidate) => {
      const known = candidate.toLowerCase();
      const holds = asked.length > 2 && (known.includes(asked) || asked.includes(known));
      return { candidate, steps: holds ? 1 : distance(asked, known) };
    })
    .filter(({ steps }) => steps <= limit)
    .sort((a, b) => a.steps - b.steps || a.candidate.localeCompare(b.candidate))
    .slice(0, max)
    .map(({ candidate }) => candidate);
}
