import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PullRequestRecord } from './records.ts';
import type { World } from './world.ts';

/** Whether a pull request merges. As on GitHub the first question only starts the work and is answered null. */
export interface MergeabilityOracle {
  ask(pr: PullRequestRecord): Promise<boolean | null>;
}

export function createMergeabilityOracle(world: World): MergeabilityOracle {
  const answers = new Map<number, { readonly key: string; readonly merges: Promise<boolean> }>();
  return {
    ask: async (pr) => {
      const baseTip = await branchTip(world, pr.baseRef);
      if (baseTip === undefined) return null;
      // A push to either branch starts it anew.
      const key = `${baseTip}...${pr.head.sha}`;
      const known = answers.get(pr.number);
      if (known?.key === key) return known.merges;
      const merges = world.git.mergesCleanly(baseTip, pr.head.sha);
      // Who asks again is told of a failure; until then nobody waits for it.
      merges.catch(() => undefined);
      answers.set(pr.number, { key, merges });
      return null;
    },
  };
}

/** A branch that moved lately is a file of its own, which takes less than starting git. */
async function branchTip(world: World, branch: string): Promise<string | undefined> {
  const ref = `refs/heads/${branch}`;
  const loose = await readFile(join(world.git.gitDir, ref), 'utf8').catch(() => '');
  const sha = loose.trim();
  return /^[0-9a-f]{40,64}$/.test(sha) ? sha : world.git.resolve(ref);
}
