import type { CommitInfo, CompareFile, Comparison, SignedIdentity } from '../git/index.ts';
import { nodeId } from '../world/node-id.ts';
import type { World } from '../world/world.ts';
import { escapePath, HTML_ROOT } from './common.ts';

/** Schema `commit`. The people of a git history have no account here, so `author` and `committer` are null. */
export function commit(world: World, info: CommitInfo) {
  const repo = `${world.url}/repos/${world.owner}/${world.repo}`;
  const html = `${HTML_ROOT}/${world.owner}/${world.repo}`;
  const url = `${repo}/commits/${info.sha}`;
  return {
    sha: info.sha,
    node_id: nodeId('C', info.sha),
    commit: {
      author: gitUser(info.author),
      committer: gitUser(info.committer),
      message: info.message,
      tree: { sha: info.treeSha, url: `${repo}/git/trees/${info.treeSha}` },
      url: `${repo}/git/commits/${info.sha}`,
      comment_count: 0,
      verification: {
        verified: false,
        reason: 'unsigned',
        signature: null,
        payload: null,
        verified_at: null,
      },
    },
    url,
    html_url: `${html}/commit/${info.sha}`,
    comments_url: `${url}/comments`,
    author: null,
    committer: null,
    parents: info.parents.map((sha) => ({
      sha,
      url: `${repo}/commits/${sha}`,
      html_url: `${html}/commit/${sha}`,
    })),
  };
}

/** Schema `diff-entry`. */
export function diffEntry(world: World, file: CompareFile, headSha: string) {
  const path = escapePath(file.filename);
  const html = `${HTML_ROOT}/${world.owner}/${world.repo}`;
  return {
    sha: file.sha,
    filename: file.filename,
    status: file.status,
    additions: file.additions,
    deletions: file.deletions,
    changes: file.changes,
    blob_url: `${html}/blob/${headSha}/${path}`,
    raw_url: `${html}/raw/${headSha}/${path}`,
    contents_url: `${world.url}/repos/${world.owner}/${world.repo}/contents/${path}?ref=${headSha}`,
    ...(file.previousFilename === undefined ? {} : { previous_filename: file.previousFilename }),
    ...(file.patch === undefined ? {} : { patch: file.patch }),
  };
}

/** GitHub shows at most so many files of a comparison, all on its first page. */
export const MAX_COMPARED_FILES = 300;

/** Schema `commit-comparison`. */
export function commitComparison(
  world: World,
  basehead: string,
  comparison: Comparison,
  commits: readonly CommitInfo[],
) {
  const html = `${HTML_ROOT}/${world.owner}/${world.repo}/compare/${escapePath(basehead)}`;
  return {
    url: `${world.url}/repos/${world.owner}/${world.repo}/compare/${escapePath(basehead)}`,
    html_url: html,
    permalink_url: `${HTML_ROOT}/${world.owner}/${world.repo}/compare/${comparison.baseSha}...${comparison.headSha}`,
    diff_url: `${html}.diff`,
    patch_url: `${html}.patch`,
    base_commit: commit(world, comparison.baseCommit),
    merge_base_commit: commit(world, comparison.mergeBaseCommit),
    status: comparison.status,
    ahead_by: comparison.aheadBy,
    behind_by: comparison.behindBy,
    total_commits: comparison.totalCommits,
    commits: commits.map((info) => commit(world, info)),
  };
}

function gitUser({ name, email, dateIso }: SignedIdentity) {
  return { name, email, date: new Date(dateIso).toISOString().replace(/\.\d+Z$/, 'Z') };
}
