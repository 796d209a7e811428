/**
 * How lock files say which package comes from where, line by line. A reader knows the lines of one format and
 * nothing of what stands around them, since a diff shows only parts of a file.
 *
 * @module
 */
import { baseName } from './file-kind.ts';

/** What one line says. Each field only where the line tells it. */
export interface LockFact {
  /** Whether another package begins here; else the fact belongs to the package before. */
  readonly begins: boolean;
  readonly name?: string;
  readonly version?: string;
  /** Where it comes from, as written: an address of a registry, a file or a repository. */
  readonly source?: string;
  readonly checksum?: string;
  /** Of which file the checksum is, where a version has several. */
  readonly checksumOf?: string;
}

/** Reads the lines of a file in their order; `undefined` for a line that says nothing of a package. */
export type LockReader = (line: string) => LockFact | undefined;

const FORMATS: Readonly<Record<string, () => LockReader>> = {
  'package-lock.json': () => npmLine,
  'npm-shrinkwrap.json': () => npmLine,
  'pnpm-lock.yaml': () => pnpmLine,
  'yarn.lock': () => yarnLine,
  'bun.lock': () => bunLine,
  'cargo.lock': () => tomlLine,
  'poetry.lock': () => tomlLine,
  'uv.lock': () => tomlLine,
  'pdm.lock': () => tomlLine,
  'gemfile.lock': gemReader,
  'composer.lock': () => composerLine,
  'go.sum': () => goLine,
};

/** A reader for a lock file of this path, to be used from its top or the top of a hunk; `undefined` for formats that are not known. */
export function lockReader(path: string): LockReader | undefined {
  const name = baseName(path).toLowerCase();
  return Object.hasOwn(FORMATS, name) ? FORMATS[name]?.() : undefined;
}

/** `"key": "value"` of JSON, as package managers print it: one to a line. */
const JSON_TEXT = /^\s*"([^"\\]+)":\s*"([^"]*)"/;
const JSON_OBJECT = /^\s*"([^"]*)":\s*\{\s*$/;
const NPM_GROUPS =
  /^(?:packages|requires|engines|bin|funding|overrides|(?:dev|peer|optional|bundled)?dependencies(?:meta)?)$/i;

function npmLine(line: string): LockFact | undefined {
  const key = JSON_OBJECT.exec(line)?.[1];
  if (key !== undefined) {
    if (NPM_GROUPS.test(key)) return undefined;
    const name = key.split('node_modules/').at(-1) ?? key;
    // Other paths are those of workspaces.
    return /^(?:@[^/]+\/)?[^/]+$/.test(name) ? { begins: true, name } : { begins: true };
  }
  const [, field, value = ''] = JSON_TEXT.exec(line) ?? [];
  if (field === 'version') return { begins: false, version: value };
  if (field === 'integrity') return { begins: false, checksum: value };
  if (field !== 'resolved') return undefined;
  const name = /\/((?:@[^/]+\/)?[^/]+)\/-\//.exec(value)?.[1];
  return { begins: false, source: value, ...(name === undefined ? {} : { name: name.replace(/%2f/i, '/') }) };
}

/** `name@version`, where the name may have a scope; the version may be an address. */
const NAME_AT = /^((?:@[^/@\s]+\/)?[^@/\s]+)@(.+)$/;

function named(spec: string, begins: boolean): LockFact | undefined {
  const [, name, rest = ''] = NAME_AT.exec(spec) ?? [];
  if (name === undefined) return undefined;
  const version = rest.replace(/^npm:/, '').replace(/\(.*$/, '');
  // What lies in the repository itself was shown as code.
  if (/^(?:workspace|link|file|portal):/.test(version)) return { begins };
  return isAddress(version) ? { begins, name, source: version } : { begins, name, version };
}

function isAddress(text: string): boolean {
  return /^(?:[\w+.-]+:\/\/|git@|github:|gitlab:|bitbucket:)/.test(text);
}

function pnpmLine(line: string): LockFact | undefined {
  const key = /^ {2}'?\/?([^\s'][^']*?)'?:\s*$/.exec(line)?.[1];
  if (key !== undefined) return named(key, true);
  const fields = /^ {4}resolution: \{(.*)\}\s*$/.exec(line)?.[1];
  if (fields === undefined) return undefined;
  const checksum = /\bintegrity: ([^,\s}]+)/.exec(fields)?.[1];
  const source = /\b(?:tarball|repo): ([^,\s}]+)/.exec(fields)?.[1];
  const isGit = /\btype: git\b/.test(fields) ? 'git+' : '';
  return {
    begins: false,
    ...(checksum === undefined ? {} : { checksum }),
    ...(source === undefined ? {} : { source: `${isGit}${source}` }),
  };
}

function yarnLine(line: string): LockFact | undefined {
  const key = /^"?([^\s",#][^",]*)[",]?.*:\s*$/.exec(line)?.[1];
  if (key !== undefined && !line.startsWith('__')) {
    const name = NAME_AT.exec(key)?.[1];
    return name === undefined ? undefined : { begins: true, name };
  }
  const [, field, value = ''] =
    /^ {2}(version|resolved|resolution|integrity|checksum):? "?([^"\s]+)/.exec(line) ?? [];
  switch (field) {
    case 'version':
      return { begins: false, version: value };
    case 'resolved':
      return { begins: false, source: value };
    case 'integrity':
    case 'checksum':
      return { begins: false, checksum: value };
    case 'resolution': {
      const source = named(value, false)?.source;
      return source === undefined ? undefined : { begins: false, source };
    }
    default:
      return undefined;
  }
}

/** One package to a line: name and version, the registry unless it is the usual one, what it needs, checksum. */
function bunLine(line: string): LockFact | undefined {
  const [, spec = '', registry = ''] = /^\s*"[^"]+":\s*\["([^"]+)"(?:,\s*"([^"]*)")?/.exec(line) ?? [];
  const fact = spec === '' ? undefined : named(spec, true);
  if (fact === undefined) return undefined;
  const checksum = /"(sha\d+-[^"]+)"\]/.exec(line)?.[1];
  return {
    ...fact,
    ...(isAddress(registry) ? { source: registry } : {}),
    ...(checksum === undefined ? {} : { checksum }),
  };
}

const TOML_TEXT = /^(name|version|source|checksum|url|git) = "([^"]*)"/;

/** Cargo, Poetry, uv and PDM. */
function tomlLine(line: string): LockFact | undefined {
  if (line.trimEnd() === '[[package]]') return { begins: true };
  const [, field, value = ''] = TOML_TEXT.exec(line) ?? [];
  if (field === 'name' || field === 'version' || field === 'checksum')
    return { begins: false, [field]: value };
  if (field === 'git') return { begins: false, source: `git+${value}` };
  if (field !== undefined) return { begins: false, source: value };
  const [, kind, address] = /^source = \{ (registry|git|url) = "([^"]*)"/.exec(line) ?? [];
  if (address !== undefined) return { begins: false, source: kind === 'git' ? `git+${address}` : address };
  return hashLine(line);
}

/** A file of a version with its hash, of which there are many in the locks of Python; its name tells both. */
function hashLine(line: string): LockFact | undefined {
  const [, file, checksum] = /\b(?:file|url) = "([^"]*)".*\bhash = "([^"]*)"/.exec(line) ?? [];
  if (file === undefined || checksum === undefined) return undefined;
  const checksumOf = baseName(file);
  const [, name, version] = /^([\w.-]+?)-(\d[\w.+!]*?)(?:-.*\.whl|\.tar\.\w+|\.zip)$/.exec(checksumOf) ?? [];
  return {
    begins: false,
    checksum,
    checksumOf,
    ...(isAddress(file) ? { source: file } : {}),
    ...(name === undefined ? {} : { name: name.replaceAll('_', '-').toLowerCase() }),
    ...(version === undefined ? {} : { version }),
  };
}

/** The address stands once, above the packages that come from there. */
function gemReader(): LockReader {
  let remote: string | undefined;
  let isGit = false;
  return (line) => {
    if (/^[A-Z]/.test(line)) {
      isGit = line.startsWith('GIT');
      remote = undefined;
      return undefined;
    }
    const address = /^ {2}remote: (\S+)/.exec(line)?.[1];
    if (address !== undefined) {
      remote = isGit ? `git+${address}` : address;
      return { begins: true, source: remote };
    }
    const [, name, version, checksum] =
      /^ {4}([^\s(]+) \(([\w.+-]+)\)$/.exec(line) ??
      /^ {2}([^\s(]+) \(([\w.+-]+)\) (sha\d+=\S+)$/.exec(line) ??
      [];
    if (name === undefined || version === undefined) return undefined;
    return {
      begins: true,
      name,
      version,
      ...(remote === undefined ? {} : { source: remote }),
      ...(checksum === undefined ? {} : { checksum }),
    };
  };
}

function composerLine(line: string): LockFact | undefined {
  const [, field, value = ''] = JSON_TEXT.exec(line) ?? [];
  switch (field) {
    case 'name':
      // Authors have names as well, but no slash in them.
      return /^[\w.-]+\/[\w.-]+$/.test(value) ? { begins: true, name: value } : undefined;
    case 'version':
      return { begins: false, version: value };
    case 'url':
      return { begins: false, source: value };
    case 'shasum':
      return value === '' ? undefined : { begins: false, checksum: value };
    default:
      return undefined;
  }
}

/** Go names a module by where it lies, so that there is no source besides the name. */
function goLine(line: string): LockFact | undefined {
  const [, name, version, file = '', checksum] = /^(\S+) (v\S+?)(\/go\.mod)? (h1:\S+)$/.exec(line) ?? [];
  if (name === undefined || version === undefined || checksum === undefined) return undefined;
  return { begins: true, name, version, checksum, checksumOf: file };
}
