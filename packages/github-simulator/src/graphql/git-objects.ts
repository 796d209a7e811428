import { type GitObject, type GitRepository, isBinary } from '../git/index.ts';
import { HTML_ROOT } from '../shapes/common.ts';
import { nodeId } from '../world/node-id.ts';
import type { World } from '../world/world.ts';

/** Answers `object(expression:)`. A query with a hundred aliases costs one process. */
export type ReadObject = (expression: string) => Promise<GitObject | undefined>;

interface Waiting {
  readonly expression: string;
  resolve(found: GitObject | undefined): void;
  reject(reason: unknown): void;
}

/** Collects what is asked for in one turn of the event loop and reads it together. */
export function createObjectReader(git: GitRepository): ReadObject {
  let waiting: Waiting[] = [];
  const readAll = async () => {
    const batch = waiting;
    waiting = [];
    try {
      const objects = await git.objects(batch.map(({ expression }) => expression));
      for (const [index, { resolve }] of batch.entries()) resolve(objects[index]);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  };
  return (expression) =>
    new Promise((resolve, reject) => {
      if (waiting.push({ expression, resolve, reject }) === 1) setImmediate(() => void readAll());
    });
}

/** Text beyond this is cut, and `isTruncated` says so. */
const MAX_TEXT_BYTES = 512_000;

/** Types `Blob`, `Tree` and `Commit`; a tag that is no commit has no place here. */
export function gitObject(world: World, object: GitObject) {
  const url = `${HTML_ROOT}/${world.owner}/${world.repo}/commit/${object.sha}`;
  const shared = {
    oid: object.sha,
    abbreviatedOid: object.sha.slice(0, 7),
    commitUrl: url,
    commitResourcePath: url.slice(HTML_ROOT.length),
  };
  switch (object.type) {
    case 'blob':
      return { __typename: 'Blob', id: nodeId('B', object.sha), ...shared, ...blobFields(object.bytes) };
    case 'tree':
      return { __typename: 'Tree', id: nodeId('T', object.sha), ...shared };
    case 'commit':
      return { __typename: 'Commit', id: nodeId('C', object.sha), ...shared };
    case 'tag':
      return { __typename: 'Tag', id: nodeId('TA', object.sha), ...shared };
  }
}

function blobFields(bytes: Buffer) {
  const binary = isBinary(bytes);
  const isTruncated = bytes.length > MAX_TEXT_BYTES;
  return {
    byteSize: bytes.length,
    isBinary: binary,
    isTruncated,
    text: binary ? null : textOf(isTruncated ? bytes.subarray(0, MAX_TEXT_BYTES) : bytes),
  };
}

/** A character that the cut went through is left out. */
function textOf(bytes: Buffer): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true });
}
