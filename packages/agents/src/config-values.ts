/**
 * Reads single settings and collects what is wrong with them. No message holds the value of a setting: what
 * stands in the wrong place may be a key.
 *
 * @module
 */
import { isAbsolute, join, resolve } from 'node:path';

/** Variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Bounds of a whole number, both included. */
export interface WholeBounds {
  readonly min: number;
  readonly max: number;
  readonly fallback: number;
}

/**
 * Reads settings by name. What a setting lacks is added to `problems`, and a stand-in is returned, so that all
 * faults are told at once: use no result while there are problems.
 */
export class SettingsReader {
  readonly #environment: Environment;
  /** One sentence for each fault, beginning with the variable's name. */
  readonly problems: string[] = [];

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  /** The value without surrounding blanks; `undefined` where it is not set, or set to nothing. */
  optional(name: string): string | undefined {
    const value = this.#environment[name]?.trim();
    return value === '' ? undefined : value;
  }

  /** @param remedy where to get the value, as the rest of the sentence `NAME is not set: …`. */
  required(name: string, remedy: string): string | undefined {
    const value = this.optional(name);
    if (value === undefined) this.problems.push(`${name} is not set: ${remedy}.`);
    return value;
  }

  /** @param rule the rest of the sentence `NAME must be …`, with an example. */
  checked<T>(name: string, fallback: T, rule: string, parse: (text: string) => T | undefined): T {
    const text = this.optional(name);
    if (text === undefined) return fallback;
    const value = parse(text);
    if (value === undefined) this.problems.push(`${name} must be ${rule}.`);
    return value ?? fallback;
  }

  whole(name: string, unit: string, bounds: WholeBounds): number {
    const { min, max, fallback } = bounds;
    return this.checked(
      name,
      fallback,
      `a whole number ${unit}from ${min} to ${max}, such as ${fallback}`,
      (text) => {
        const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
        return value >= min && value <= max ? value : undefined;
      },
    );
  }

  /** A positive id that GitHub shows, such as an App's. */
  id(name: string, remedy: string): number {
    const text = this.required(name, remedy);
    if (text === undefined) return 0;
    if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
    this.problems.push(`${name} must be a positive whole number: ${remedy}.`);
    return 0;
  }

  /** An http or https address without user, password, query and fragment; a trailing slash is dropped. */
  address(name: string): string | undefined {
    const rule = 'an http or https address without user, password and query, such as https://example.com';
    return this.checked<string | undefined>(name, undefined, rule, (text) => {
      const url = URL.canParse(text) ? new URL(text) : undefined;
      if (url === undefined || !/^https?:$/.test(url.protocol)) return undefined;
      const extras = url.username + url.password + url.search + url.hash;
      return extras === '' ? url.href.replace(/\/+$/, '') : undefined;
    });
  }

  /**
   * A directory: as set (relative to `cwd`, `~/` is the home), else `directory` under an XDG base directory
   * (https://specifications.freedesktop.org/basedir-spec: relative ones do not count).
   */
  directory(name: string, cwd: string, xdg: XdgDirectory): string {
    const home = this.optional('HOME');
    const own = this.optional(name);
    if (own !== undefined && !(home === undefined && HOME_RELATIVE.test(own))) {
      return resolve(
        cwd,
        own.replace(HOME_RELATIVE, () => home ?? ''),
      );
    }
    const base = this.optional(xdg.variable);
    if (own === undefined && base !== undefined && isAbsolute(base)) return join(base, xdg.directory);
    if (home !== undefined) return join(home, xdg.underHome, xdg.directory);
    this.problems.push(`${name} cannot be told because HOME is not set: set ${name} to an absolute path.`);
    return cwd;
  }
}

/** `~` at the beginning, which no shell has replaced in a file of settings. */
const HOME_RELATIVE = /^~(?=\/|$)/;

/** Where a directory lies when nobody says. */
export interface XdgDirectory {
  /** `XDG_DATA_HOME` and the like. */
  readonly variable: string;
  /** The base directory where that variable is not set, relative to the home. */
  readonly underHome: string;
  readonly directory: string;
}
