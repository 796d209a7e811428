/**
 * What follows from people's answers to findings. A person's act decides by itself; a reviewer only weighs what
 * a person answered, so that the model alone takes nothing back, and no bot does. Pure.
 *
 * @module
 */
import type { Aspect } from '../ids.ts';
import type { Answer, Decision, Standing, Verdict } from './answer.ts';
import type { Ledger, LedgerEntry } from './ledger-entry.ts';

/** A verdict and whose it is. */
export type ReviewerVerdict = Verdict & { readonly aspect: Aspect };

/** What was said about findings. */
export interface Heard {
  /** Oldest first. */
  readonly answers: readonly Answer[];
  readonly verdicts: readonly ReviewerVerdict[];
}

/** In descending order of weight. */
const STANDINGS: readonly Standing[] = ['team', 'author', 'other', 'bot'];

/**
 * The decisions about each entry, the one that goes first before others. There may be several: a thread that was
 * resolved over code that is no more decides nothing, which the ledger knows.
 */
export function decisionsOf(ledger: Ledger, { answers, verdicts }: Heard): readonly Decision[] {
  return ledger.flatMap((entry) => {
    const own = answers.filter(({ findingId }) => findingId === entry.id);
    return [...resolutions(own), ...judgements(entry, own, verdicts)].toSorted(
      (a, b) => Number(a.state === 'disputed') - Number(b.state === 'disputed'),
    );
  });
}

/**
 * Threads about the finding that a person resolved: the team takes it back where it also says that the thread is
 * about it; anybody else contradicts, and so does the team in a thread of somebody else.
 */
function resolutions(answers: readonly Answer[]): readonly Decision[] {
  const threads = new Map(answers.map((answer) => [answer.itemId, answer]));
  return byWeight([...threads.values()], ({ resolvedBy }) => resolvedBy?.standing).flatMap((answer) => {
    const { resolvedBy, findingId, itemId, url } = answer;
    if (resolvedBy?.named === undefined || resolvedBy.standing === 'bot') return [];
    // Who closes it because it is mended says nothing against it; whether it is mended, the code shows.
    if (resolvedBy.claimsFix === true) return [];
    const isTakenBack = resolvedBy.standing === 'team' && resolvedBy.named === 'by-team';
    const state = isTakenBack ? 'withdrawn' : 'disputed';
    return [{ findingId, state, because: 'resolved', by: resolvedBy.login, itemId, url, why: '' }];
  });
}

/** What the finding's own reviewers make of the answers: at most one decision. */
function judgements(
  entry: LedgerEntry,
  answers: readonly Answer[],
  verdicts: readonly ReviewerVerdict[],
): readonly Decision[] {
  const own = verdicts.filter(
    ({ findingId, aspect }) => findingId === entry.id && entry.aspects.includes(aspect),
  );
  const reasons = answers.filter((answer) => isByPerson(answer) && answer.claimsFix !== true);
  const direct = reasons.filter(({ isDirect }) => isDirect);
  const [answer] = byWeight(direct.length > 0 ? direct : reasons, ({ standing }) => standing);
  const verdict = own.find((candidate) => candidate.verdict === 'disputed') ?? own[0];
  if (answer === undefined || verdict === undefined) return [];
  // What a model makes of an outsider's words may be the outsider's doing: it borrows no weight of the team.
  // Of two who answered, one may have objected, which code cannot read.
  const isOfTeam =
    new Set(direct.map(({ by }) => by)).size === 1 && direct.every(({ standing }) => standing === 'team');
  // Nor can code tell whether the team agreed: what is critical is taken back by a person's act alone.
  const mayTakeBack = isOfTeam && entry.finding.severity !== 'critical';
  const isTakenBack = verdict.verdict === 'withdrawn' && mayTakeBack;
  return [
    {
      findingId: entry.id,
      state: isTakenBack ? 'withdrawn' : 'disputed',
      because: 'answered',
      by: answer.by,
      itemId: answer.itemId,
      url: answer.url,
      why: verdict.why,
    },
  ];
}

function isByPerson({ standing }: Answer): boolean {
  return standing !== 'bot';
}

/** The weightiest first, of one weight the newest. */
function byWeight(
  answers: readonly Answer[],
  standingOf: (answer: Answer) => Standing | undefined,
): readonly Answer[] {
  const rank = (answer: Answer) => STANDINGS.indexOf(standingOf(answer) ?? 'bot');
  return answers.toReversed().toSorted((a, b) => rank(a) - rank(b));
}
