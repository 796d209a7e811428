import type { ChangedFile } from '../../../review/changed-file.ts';
import { baseName } from '../../../review/file-kind.ts';
import type { Finding, Severity } from '../../../review/finding.ts';
import { digestOf, type LockDigest, type LockPackage, originsIn } from '../../../review/lock-digest.ts';
import { originOf } from '../../../review/lock-entries.ts';
import type { RangeView, Rule } from '../rule.ts';
import { codeName } from '../wording.ts';

const NAME_MAX_CHARS = 24;

/**
 * Packages of a lock file whose origin is worth a look: fetched without encryption, from a repository, from a
 * host from which nothing else came before, or replaced under a version that was there. Where much is new,
 * nothing is unusual, so a new lock file is judged by encryption alone.
 */
export const lockSource: Rule = {
  id: 'lock-source',
  aspect: 'security',
  run: async (range) => {
    const found = await Promise.all(range.lockFiles.map((file) => judgeFile(range, file)));
    return found.flat();
  },
};

async function judgeFile(range: RangeView, file: ChangedFile): Promise<readonly Finding[]> {
  const digest = digestOf(file);
  const arrivals = [...digest.added, ...digest.moved];
  const text = arrivals.length === 0 ? undefined : await range.read(file.path);
  const origins = text === undefined ? digest.origins : originsIn(file.path, text);
  const judged = arrivals.flatMap((one) => {
    const fault = faultOf(one, digest, file.status === 'added' ? new Set() : knownOrigins(arrivals, origins));
    return fault === undefined ? [] : [toFinding(file, one, fault)];
  });
  return [...judged, ...digest.reissued.map((one) => toFinding(file, one, replaced(one)))];
}

/** Origins from which something came before: more packages than the new ones are theirs. */
function knownOrigins(
  arrivals: readonly LockPackage[],
  origins: ReadonlyMap<string, number>,
): ReadonlySet<string> {
  const fresh = new Map<string, number>();
  for (const { source } of arrivals) {
    const origin = source === undefined ? undefined : originOf(source);
    if (origin !== undefined) fresh.set(origin, (fresh.get(origin) ?? 0) + 1);
  }
  return new Set(
    [...origins].flatMap(([origin, count]) => (count > (fresh.get(origin) ?? 0) ? [origin] : [])),
  );
}

interface Fault {
  readonly severity: Severity;
  readonly message: string;
  readonly impact: string;
  readonly suggestedFix: string;
}

function faultOf(
  { name, source }: LockPackage,
  { path }: LockDigest,
  known: ReadonlySet<string>,
): Fault | undefined {
  const origin = source === undefined ? undefined : originOf(source);
  if (origin === undefined) return undefined;
  const [kind = '', host = ''] = origin.split(' ');
  const who = codeName(name, NAME_MAX_CHARS);
  if (kind === 'http') {
    return {
      severity: 'important',
      message: `${who} is fetched without encryption. Its address in the lock file begins with \`http:\`.`,
      impact: 'Anybody on the way can hand out another package in its place.',
      suggestedFix: 'Install it from its registry over `https:`, and commit the lock file that results.',
    };
  }
  // Composer names the repository of every package.
  if (kind === 'git' && baseName(path).toLowerCase() !== 'composer.lock') {
    return {
      severity: 'suggestion',
      message: `${who} comes from a git repository. No registry has a version of it that was published and stays.`,
      impact: 'Who controls the repository controls what is installed, and may take it away.',
      suggestedFix: 'Use a published version, or say why there is none and who reviewed the commit.',
    };
  }
  if (known.size === 0 || known.has(origin)) return undefined;
  return {
    severity: 'important',
    message: `${who} comes from a host of its own. Nothing else in this lock file is fetched from ${codeName(host)}.`,
    impact:
      'A lock file decides what is installed, whatever the manifest says: this is how a foreign package gets in.',
    suggestedFix:
      'Check the address. If it is not meant, install again from the usual registry and commit the result.',
  };
}

function replaced({ name, version = '' }: LockPackage): Fault {
  return {
    severity: 'important',
    message: `${codeName(name, NAME_MAX_CHARS)} has another checksum. Its version ${codeName(version)} is the same as before.`,
    impact:
      'A published version does not change: either the package was replaced, or it comes from elsewhere now.',
    suggestedFix:
      'Find out why. Install again from the usual registry and compare the checksum with the published one.',
  };
}

function toFinding(file: ChangedFile, { line }: LockPackage, fault: Fault): Finding {
  return { ...fault, file: file.path, ...(line === undefined ? {} : { line }) };
}
