import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createEmbeddedHost, type EmbeddedHost, type EmbeddedHostOptions } from '../host.ts';

/** A directory that is gone after the test. */
export function createTempDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'embedded-runtime-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** A started host that is closed after the test; in memory unless a directory is given. */
export async function startTestHost(
  options: Pick<EmbeddedHostOptions, 'registry'> & Partial<EmbeddedHostOptions>,
): Promise<EmbeddedHost> {
  const host = createEmbeddedHost({ dataDir: ':memory:', ...options });
  onTestFinished(() => host.close());
  await host.start();
  return host;
}

/** A promise and the function that resolves it. */
export function createGate<T = void>(): { readonly opened: Promise<T>; open(value: T): void } {
  let open: (value: T) => void = () => {};
  const opened = new Promise<T>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
