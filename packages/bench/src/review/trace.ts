/**
 * What happens in one first and one later round, request by request.
 *
 * @module
 */

import { alignColumns } from '../table.ts';
import { createWorkbench, type WorkbenchOptions } from '../workbench.ts';
import { commentMs, longestChain, roundRequests, type TimedRequest } from './round-record.ts';
import { type ObservedRound, openStage, type Reviewer } from './stage.ts';

/** Settings of {@link traceRounds}. */
export interface TraceOptions extends WorkbenchOptions {
  /** False: the analyzers alone review. */
  readonly withModel: boolean;
}

/** The rounds that were traced. */
export interface Trace {
  readonly first: ObservedRound;
  readonly later: ObservedRound;
}

/** Plays a first and a later round of one pull request of 20 files on a warm service. */
export async function traceRounds({ withModel, ...options }: TraceOptions): Promise<Trace> {
  const reviewer: Reviewer = withModel
    ? { kind: 'model', thinkMs: 0, analyzers: true }
    : { kind: 'analyzers' };
  const bench = createWorkbench(options);
  try {
    const stage = await openStage(bench, { reviewer, filesPerPr: 20 });
    // One at a time is another road through the service than the eight at once that warmed it.
    await stage.firstRound();
    await stage.laterRound();
    return { first: await stage.firstRound(), later: await stage.laterRound() };
  } finally {
    await bench.close();
  }
}

function rows(to: string, sentAtMs: number, requests: readonly TimedRequest[]) {
  return requests.map(({ method, path, beganAtMs, endedAtMs }) => {
    const [beganMs, endedMs] = [beganAtMs - sentAtMs, endedAtMs - sentAtMs];
    const cells = [beganMs.toFixed(1), endedMs.toFixed(1), (endedMs - beganMs).toFixed(1), to];
    return { beganAtMs, cells: [...cells, `${method} ${path}`] };
  });
}

function renderRound(title: string, round: ObservedRound): string {
  const counted = roundRequests(round);
  const lines = [
    ...rows('github', round.sentAtMs, round.requests),
    ...rows('model', round.sentAtMs, round.modelRequests),
  ].toSorted((a, b) => a.beganAtMs - b.beganAtMs);
  const heading = ['began ms', 'ended ms', 'took', 'to', 'request'];
  const [said, chain] = [commentMs(round).toFixed(1), longestChain(counted)];
  const table = alignColumns([heading, ...lines.map(({ cells }) => cells)]);
  return `${title}: comment after ${said} ms, ${counted.length} requests to GitHub, chain of ${chain}\n${table.join('\n')}\n`;
}

/** Both rounds as tables, times since the sending of the delivery. Pure. */
export function renderTrace({ first, later }: Trace): string {
  return `${renderRound('First round', first)}\n${renderRound('Later round', later)}`;
}
