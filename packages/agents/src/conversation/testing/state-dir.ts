/**
 * Folders of markers, as the specification has them.
 *
 * @module
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder that is removed when the test has ended. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pr-shepherd-markers-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Where the markers of {@link PR} lie, as specified. */
export function seenFolderIn(stateDir: string): string {
  return join(stateDir, 'acme-shop', '7', 'seen');
}

/** Where the marker of an item of {@link PR} lies, as specified. */
export function markerPath(stateDir: string, id: string): string {
  return join(seenFolderIn(stateDir), `${createHash('sha256').update(id).digest('hex')}.json`);
}

/** Names of the files beside the markers of {@link PR}: temporary ones. */
export function otherFiles(stateDir: string): readonly string[] {
  return readdirSync(seenFolderIn(stateDir)).filter((name) => !/^[0-9a-f]{64}\.json$/.test(name));
}

/** Runs a command of the system. @throws Error where it fails, or there is none */
export function runCommand(command: string, ...args: readonly string[]): void {
  execFileSync(command, args, { stdio: 'ignore' });
}
