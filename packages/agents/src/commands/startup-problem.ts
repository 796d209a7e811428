/**
 * Why the service could not start, in terms of the settings that a person can change.
 *
 * @module
 */
import type { ServiceConfig } from '../config.ts';
import { ConfigError, messageOf } from '../errors.ts';

/** Codes of the system for a directory that cannot be used. */
const UNUSABLE = new Set(['EACCES', 'EEXIST', 'ENOENT', 'ENOSPC', 'ENOTDIR', 'EPERM', 'EROFS']);

/** A {@link ConfigError} where a setting is at fault, else the error as it is. */
export function startupProblem(error: unknown, config: ServiceConfig): unknown {
  const problem = problemOf(error, config);
  return problem === undefined ? error : new ConfigError([problem]);
}

function problemOf(error: unknown, { dataDir, listen }: ServiceConfig): string | undefined {
  // By name, since the runtime's classes are not part of the published API.
  if (error instanceof Error && error.name === 'DataDirInUseError') {
    return `${error.message}: stop that process, or set DATA_DIR to another directory.`;
  }
  if (error instanceof Error && error.name === 'NewerDatabaseError') {
    return `${error.message}: update this program, or set DATA_DIR to another directory.`;
  }
  const code = codeOf(error);
  if (code === 'EADDRINUSE')
    return `PORT ${listen.port} is taken on ${listen.host}: set PORT to another one.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return `HOST ${listen.host} is no address of this machine: set HOST to one, such as 127.0.0.1.`;
  }
  if (UNUSABLE.has(code)) {
    return `DATA_DIR ${dataDir} cannot be used (${code}): set DATA_DIR to a directory that can be written.`;
  }
  return undefined;
}

function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return messageOf(error);
  if ('code' in error && typeof error.code === 'string' && /^E[A-Z]+$/.test(error.code)) return error.code;
  return 'cause' in error ? codeOf(error.cause) : '';
}
