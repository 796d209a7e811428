/**
 * The errors that this package throws on purpose. `retryable` says whether the same call can succeed later
 * without anybody changing anything.
 *
 * @module
 */

/** Base of the package's errors. */
export abstract class EmbeddedRuntimeError extends Error {
  /** Stable, machine-readable name of the fault. */
  abstract readonly code: string;
  /** Whether the same call can succeed later. */
  abstract readonly retryable: boolean;

  constructor(message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** One fault of a checked value. */
export interface ValidationDetail {
  /** JSON pointer. */
  readonly path: string;
  readonly message: string;
}

/** Codes of refused requests, as an agents-server names them. */
export type RequestErrorCode =
  | 'INVALID_REQUEST'
  | 'NOT_FOUND'
  | 'UNKNOWN_ENTITY_TYPE'
  | 'UNKNOWN_MESSAGE_TYPE'
  | 'SCHEMA_VALIDATION_FAILED'
  | 'DUPLICATE_URL'
  | 'NOT_RUNNING'
  | 'INVALID_SIGNAL'
  | 'INVALID_WAKE_UNREGISTER'
  | 'UNAUTHORIZED'
  | 'NOT_SUPPORTED'
  | 'STORAGE_UNAVAILABLE';

/** HTTP statuses of refused requests. */
export type RequestErrorStatus = 400 | 403 | 404 | 409 | 413 | 422 | 501 | 503;

/** A request that was refused; the HTTP routes answer with its status and body. */
export class RequestError extends EmbeddedRuntimeError {
  override readonly code: RequestErrorCode;
  override readonly retryable: boolean;
  /** HTTP status. */
  readonly status: RequestErrorStatus;
  readonly details: unknown;

  constructor(status: RequestErrorStatus, code: RequestErrorCode, message: string, details?: unknown) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
    this.retryable = status === 503;
  }

  /** The JSON body of the answer. */
  toBody(): {
    readonly error: { readonly code: string; readonly message: string; readonly details?: unknown };
  } {
    const { code, message, details } = this;
    return { error: details === undefined ? { code, message } : { code, message, details } };
  }
}

/** A spawn, send or other request that the server refused, as the client and the handler context report it. */
export class RequestFailedError extends EmbeddedRuntimeError {
  override readonly code = 'REQUEST_FAILED';
  override readonly retryable: boolean;
  /** HTTP status of the answer. */
  readonly status: number;

  /** @param action - what failed, for example `send to /kid/a` */
  constructor(action: string, status: number, body: string) {
    super(`${action} failed (${status}): ${body}`);
    this.status = status;
    this.retryable = status >= 500;
  }
}

/** A row that breaks its collection's schema. */
export class SchemaValidationError extends EmbeddedRuntimeError {
  override readonly code = 'SCHEMA_VALIDATION_FAILED';
  override readonly retryable = false;
  readonly issues: readonly ValidationDetail[];

  constructor(collection: string, issues: readonly ValidationDetail[]) {
    super(
      `Row of "${collection}" breaks its schema: ${issues.map((i) => `${i.path || '/'} ${i.message}`).join('; ')}`,
    );
    this.issues = issues;
  }
}

/** An insert of a key that exists. */
export class DuplicateKeyError extends EmbeddedRuntimeError {
  override readonly code = 'DUPLICATE_KEY';
  override readonly retryable = false;

  constructor(collection: string, key: string) {
    super(`"${collection}" already has a row with the key "${key}"`);
  }
}

/** A definition that a real agents-server would refuse, or that would replace a built-in collection. */
export class DefinitionError extends EmbeddedRuntimeError {
  override readonly code = 'BAD_DEFINITION';
  override readonly retryable = false;
}

/** A handler did not return in time. */
export class WakeTimeoutError extends EmbeddedRuntimeError {
  override readonly code = 'HANDLER_TIMEOUT';
  override readonly retryable = false;

  constructor(entityUrl: string, timeoutMs: number) {
    super(`the handler of ${entityUrl} did not return within ${timeoutMs} ms`);
  }
}

/** A handler of `ctx.onSignal` threw. */
export class SignalHandlerError extends EmbeddedRuntimeError {
  override readonly code = 'SIGNAL_HANDLER_FAILED';
  override readonly retryable = false;

  constructor(signal: string, reason: string, options?: { readonly cause?: unknown }) {
    super(`the handler of ${signal} threw: ${reason}`, options);
  }
}

/** A second spawn of an own child. */
export class ChildExistsError extends EmbeddedRuntimeError {
  override readonly code = 'CHILD_EXISTS';
  override readonly retryable = false;

  constructor(type: string, id: string) {
    super(
      `[agent-runtime] child "${type}:${id}" already exists — use observe(entity("/${type}/${id}")) to get a handle`,
    );
  }
}

/** A second `ctx.mkdb` of one id. */
export class SharedDbExistsError extends EmbeddedRuntimeError {
  override readonly code = 'SHARED_DB_EXISTS';
  override readonly retryable = false;

  constructor(id: string) {
    super(
      `[agent-runtime] shared DB "${id}" already exists — use observe(db("${id}", schema)) to get a handle`,
    );
  }
}

/** `ctx.agent.run` without `ctx.useAgent`. */
export class NoAgentError extends EmbeddedRuntimeError {
  override readonly code = 'NO_AGENT';
  override readonly retryable = false;

  constructor() {
    super('ctx.agent.run() needs a ctx.useAgent() before it');
  }
}

/** `ctx.useContext` with settings that contradict each other. */
export class ContextConfigError extends EmbeddedRuntimeError {
  override readonly code = 'BAD_CONTEXT_CONFIG';
  override readonly retryable = false;

  /** @param fault - the setting and what is wrong with it */
  constructor(fault: string) {
    super(`[agent-runtime] useContext: ${fault}`);
  }
}

/** A model asked for a part of its context that is not there. */
export class MissingContextError extends EmbeddedRuntimeError {
  override readonly code = 'MISSING_CONTEXT';
  override readonly retryable = false;

  constructor(what: string) {
    super(`[missing ${what}]`);
  }
}

/** A member of the context was used after its pass had ended. */
export class PassOverError extends EmbeddedRuntimeError {
  override readonly code = 'PASS_OVER';
  override readonly retryable = false;

  constructor(entityUrl: string, member: string) {
    super(`ctx.${member} was called after the pass of ${entityUrl} had ended; await it inside the handler`);
  }
}

/** A part of the published runtime that this host does not have. */
export class NotSupportedError extends EmbeddedRuntimeError {
  override readonly code = 'NOT_SUPPORTED';
  override readonly retryable = false;
}

/** Text that SQLite cannot keep as it is: it has a NUL, or half of a surrogate pair. */
export class UnstorableTextError extends EmbeddedRuntimeError {
  override readonly code = 'UNSTORABLE_TEXT';
  override readonly retryable = false;

  constructor() {
    super('a key, URL or name has a NUL character or half of a surrogate pair');
  }
}

/** The database could not take a write: disk full, read-only, I/O error. Nothing of the batch was accepted. */
export class StorageError extends EmbeddedRuntimeError {
  override readonly code = 'STORAGE_UNAVAILABLE';
  override readonly retryable = true;
}

/** Another process, or another host in this one, has the data directory. */
export class DataDirInUseError extends EmbeddedRuntimeError {
  override readonly code = 'DATA_DIR_IN_USE';
  override readonly retryable = true;
  /** Process id of the holder, if it is known. */
  readonly pid: number | undefined;

  constructor(dataDir: string, pid: number | undefined) {
    super(`${dataDir} is in use by ${pid === undefined ? 'another process' : `process ${pid}`}`);
    this.pid = pid;
  }
}

/** The database was written by a newer version of this package. */
export class NewerDatabaseError extends EmbeddedRuntimeError {
  override readonly code = 'NEWER_DATABASE';
  override readonly retryable = false;

  constructor(path: string, found: number, known: number) {
    super(`${path} has schema version ${found}, this version knows up to ${known}: use a newer version`);
  }
}

/** The host was not started, or has been closed. */
export class HostNotRunningError extends EmbeddedRuntimeError {
  override readonly code = 'HOST_NOT_RUNNING';
  override readonly retryable = true;
}

/** The sentence of an unknown thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
