/**
 * A value that must not be seen.
 *
 * @module
 */
import { inspect } from 'node:util';

const SHOWN = '[secret]';

/** Holds a secret so that logs, JSON, template strings and `console` show `[secret]` instead. */
export class Secret<T = string> {
  readonly #value: T;

  constructor(value: T) {
    this.#value = value;
  }

  /** The value itself: for the one call that needs it. */
  reveal(): T {
    return this.#value;
  }

  toString(): string {
    return SHOWN;
  }

  toJSON(): string {
    return SHOWN;
  }

  [inspect.custom](): string {
    return SHOWN;
  }
}
