import { describe, expect, it } from 'vitest';
import { playRound, toolCall } from '../model/testing/answers.ts';
import type { Finding } from '../review/finding.ts';
import { numbered } from '../review/testing/builders.ts';
import { publishedShas, pushTo, reviewsOf, say } from './testing/scene.ts';
import { openTalk, shownIn, type TalkOptions } from './testing/talk-stage.ts';

const TITLE = 'The average of an empty list of prices is NaN';
const MESSAGE = `${TITLE}.`;
const FINDING: Finding = { severity: 'important', file: 'src/mean.ts', line: 20, message: MESSAGE };
const REASON = `> ${MESSAGE}\n\nThe list is never empty: its caller checks it in line 3.`;
const PLACE = { path: 'src/mean.ts', line: 20 };
const BY_EVE = { pr: { author: 'eve', labels: ['shepherd'] } };
const WITHDRAWN = [{ finding: 'F1', verdict: 'withdrawn', why: 'The caller checks it.' }];

/** What the reviewer of correctness hands in; the others find nothing. */
interface Words {
  readonly findings?: readonly Finding[];
  readonly earlier?: typeof WITHDRAWN;
}

/** A line of the file in its wording of a round. */
function codeWith(changes: ReadonlyMap<number, string>): string {
  return numbered(60)
    .split('\n')
    .map((line, index) => changes.get(index + 1) ?? line)
    .join('\n');
}

/** A pull request that was found fault with, and a reviewer that is told what to say in the next rounds. */
async function openFound(options: TalkOptions = {}) {
  const play = playRound({});
  const changes = new Map([[20, 'return sum / prices.length;']]);
  let words: Words = { findings: [FINDING] };
  const stage = await openTalk(
    (request) =>
      request.aspect === 'correctness'
        ? toolCall('submit_findings', { findings: [], ...words, complete: true })
        : play(request),
    {
      members: ['ada', 'mia'],
      ...options,
      main: { 'src/mean.ts': numbered(60) },
      pr: { ...options.pr, files: { 'src/mean.ts': codeWith(changes) } },
    },
  );
  /** A round over a change of a line of the file, far from the finding unless it is its own. */
  const next = async (now: Words, line = 50) => {
    words = now;
    const { provider, number } = stage;
    const before = provider.requests.length;
    const iteration = publishedShas(stage, number).length + 1;
    changes.set(line, `return prices.length > ${iteration};`);
    await pushTo(stage, 'feature', { 'src/mean.ts': codeWith(changes) });
    const { body } = await stage.published(iteration);
    await stage.quiet();
    const requests = provider.requests.slice(before);
    const told = requests.find(({ aspect }) => aspect === 'correctness')?.userText ?? '';
    return { body, told, shown: shownIn(requests) };
  };
  const [first] = stage.ours(stage.number);
  return { stage, next, first: first?.body ?? '' };
}

/** What is told of earlier findings. */
function statusIn(body: string): string {
  return /### Previous Review Status\n([\s\S]*?)\n\*\*Coverage/.exec(body)?.[1]?.trim() ?? '';
}

describe('an answer to a finding', () => {
  it('with reasons, of the team, has it withdrawn; it is not raised again until its code changes', async () => {
    const { stage, next, first } = await openFound();
    const { simulator, number } = stage;
    expect(first).toContain(TITLE);
    await simulator.comment(number, { author: 'mia', body: REASON });
    const second = await next({ earlier: WITHDRAWN });
    expect(second.shown).toContain('The list is never empty');
    expect(second.told).toMatch(/F1, open, .*The average of an empty list/);
    expect(statusIn(second.body)).toContain('Withdrawn 1.');
    expect(statusIn(second.body)).toContain('mia answered');
    expect(statusIn(second.body)).toContain('The caller checks it.');

    const third = await next({ findings: [FINDING] });
    expect(third.told).toMatch(/F1, withdrawn, .*\n.*answer by a member of the team, "mia"/);
    expect(third.shown).toBe('');
    expect(third.body).not.toContain(TITLE);
    expect(third.body).toContain('No issues found');
    const fourth = await next({ findings: [FINDING] }, 20);
    expect(fourth.body).toContain('Open again 1');
    expect(fourth.body).toMatch(/1 important/);
  });

  it('fault 15: of people outside of the team has it disputed, of a bot nothing, whatever the model makes of it', async () => {
    // Whoever is let read is a collaborator, too, and of no team.
    const { stage, next } = await openFound({ ...BY_EVE, collaborators: { eve: 'read', cole: 'read' } });
    const { simulator, number } = stage;
    await simulator.comment(number, { author: 'helper[bot]', body: REASON });
    const second = await next({ findings: [FINDING], earlier: WITHDRAWN });
    expect(second.told).toContain('answer by a bot, "helper[bot]"');
    expect(statusIn(second.body)).toBe('Still open 1.');
    await simulator.comment(number, { author: 'eve', body: REASON });
    const third = await next({ earlier: WITHDRAWN });
    expect(statusIn(third.body)).toContain('Disputed 1.');
    expect(statusIn(third.body)).toContain('eve answered');
    await simulator.comment(number, { author: 'cole', body: REASON });
    const fourth = await next({ earlier: WITHDRAWN });
    expect(fourth.told).toContain('answer by somebody outside of the team, "cole"');
    expect(statusIn(fourth.body)).toContain('Still disputed 1.');
    // What the model takes for the team's word may be what it was told by others; what the team does is no opinion.
    await simulator.comment(number, { author: 'mia', body: `> ${MESSAGE}\n\nThis is serious, mend it.` });
    const fifth = await next({ earlier: WITHDRAWN });
    expect(statusIn(fifth.body)).toContain('Still disputed 1.');
    const thread = await simulator.startThread(number, { author: 'mia', body: MESSAGE, ...PLACE });
    await simulator.resolveThread(thread.threadId, 'mia');
    const sixth = await next({ findings: [FINDING] });
    expect(statusIn(sixth.body)).toContain('Withdrawn 1.');
    expect(statusIn(sixth.body)).toContain('mia resolved the thread');
  });
});

describe('a thread on a finding', () => {
  it('row 2.12 j, fault 42: that a person resolves decides it as long as it is resolved; opened again the finding is open again', async () => {
    const { stage, next } = await openFound();
    const { simulator, number } = stage;
    const thread = await simulator.startThread(number, { author: 'mia', body: MESSAGE, ...PLACE });
    const open = await next({ findings: [FINDING] });
    expect(statusIn(open.body)).toContain('Still open 1.');
    await simulator.resolveThread(thread.threadId, 'mia');
    const second = await next({ findings: [FINDING] });
    expect(statusIn(second.body)).toContain('Withdrawn 1.');
    expect(statusIn(second.body)).toContain('mia resolved the thread');
    expect(second.shown).toContain('Closed since last seen');
    const third = await next({ findings: [FINDING] });
    expect(third.body).not.toContain(TITLE);
    await simulator.unresolveThread(thread.threadId, 'ben');
    const fourth = await next({ findings: [FINDING] });
    expect(fourth.shown).toContain('Reopened');
    expect(fourth.body).toContain('Open again 1');
  });

  it('T-147 that somebody resolves of whom nothing is known is no word of the team unless GitHub says so', async () => {
    const { stage, next } = await openFound();
    const { simulator, number } = stage;
    const thread = await simulator.startThread(number, { author: 'ada', body: MESSAGE, ...PLACE });
    await simulator.resolveThread(thread.threadId, 'cole');
    const second = await next({ findings: [FINDING] });
    expect(statusIn(second.body)).toContain('Disputed 1.');
    expect(statusIn(second.body)).toContain('cole resolved the thread');
  });

  it('that only others make one about the finding is not taken back by whoever of the team resolves it', async () => {
    const { stage, next } = await openFound(BY_EVE);
    const { simulator, number } = stage;
    const elsewhere = { author: 'mia', body: 'Please rename this.', path: 'src/total.ts', line: 1 };
    const planted = await simulator.startThread(number, elsewhere);
    await simulator.reply(planted.threadId, { author: 'eve', body: 'As in src/mean.ts:20, ok?' });
    await simulator.resolveThread(planted.threadId, 'mia');
    const second = await next({ findings: [FINDING] });
    expect(statusIn(second.body)).toBe('Still open 1.');
    const begun = await simulator.startThread(number, { author: 'eve', body: MESSAGE, ...PLACE });
    await simulator.resolveThread(begun.threadId, 'mia');
    const third = await next({ findings: [FINDING] });
    expect(statusIn(third.body)).toContain('Disputed 1.');
    expect(statusIn(third.body)).toContain('mia resolved the thread');
  });

  it('that was resolved is heard by the review that is asked for then, though nothing else changed', async () => {
    const { stage, next } = await openFound();
    const { simulator, number } = stage;
    const thread = await simulator.startThread(number, { author: 'ada', body: MESSAGE, ...PLACE });
    await next({ findings: [FINDING] });
    await simulator.resolveThread(thread.threadId, 'mia');
    await say(stage, number, '@horton review');
    const [body = ''] = reviewsOf(stage, number);
    expect(statusIn(body)).toContain('Withdrawn 1.');
    expect(statusIn(body)).toContain('mia resolved the thread');
  });
});

it('an answer holds in a file that the pull request adds, whatever else of it changes', async () => {
  const play = playRound({});
  const file = 'src/new.ts';
  const code = (version: number): string =>
    `${numbered(60).replace('line 20\n', 'return sum / prices.length;\n')}// ${version}\n`;
  let words: Words = { findings: [{ ...FINDING, file }] };
  const stage = await openTalk(
    (request) =>
      request.aspect === 'correctness'
        ? toolCall('submit_findings', { findings: [], ...words, complete: true })
        : play(request),
    { members: ['ada', 'mia'], pr: { author: 'eve', labels: ['shepherd'], files: { [file]: code(0) } } },
  );
  const next = async (now: Words, version: number): Promise<string> => {
    words = now;
    await pushTo(stage, 'feature', { [file]: code(version) });
    const { body } = await stage.published(version + 1);
    await stage.quiet();
    return statusIn(body);
  };
  await stage.simulator.comment(stage.number, { author: 'eve', body: REASON });
  expect(await next({ earlier: WITHDRAWN }, 1)).toContain('Disputed 1.');
  expect(await next({}, 2)).toContain('Still disputed 1.');
});
