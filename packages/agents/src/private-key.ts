/**
 * The App's private key, in whatever form it survived the way into the environment.
 *
 * @module
 */
import { createPrivateKey, type KeyObject } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { Secret } from './config-secret.ts';

/** The key, or the rest of the sentence `GH_APP_PRIVATE_KEY …`, with the remedy and without key material. */
export type PrivateKeyResult =
  | { readonly kind: 'key'; readonly pem: Secret }
  | { readonly kind: 'problem'; readonly problem: string };

/** Keys of 16,384 bits take some 13 KB; what is longer is no key. */
const MAX_FILE_BYTES = 65_536;
/** Longest path that Linux takes. */
const MAX_PATH_LENGTH = 4096;
const FRESH = "generate a new one in the App's settings under Private keys";
const FORMS = 'give the PEM that GitHub offers for download, its base64, or the path of the file';

/**
 * Reads a key given as PEM (also on one line, with escaped newlines, with CRLF, in quotes), as base64 of PEM,
 * or as the path of a file that holds one of these.
 *
 * @param cwd what a relative path starts from.
 * @returns the key as PKCS#8 PEM, checked to be an RSA private key.
 */
export function readPrivateKey(value: string, cwd: string): PrivateKeyResult {
  const given = unquote(value);
  const pem = pemIn(given);
  if (pem !== undefined) return checkPem(pem);

  const file = readKeyFile(given, cwd);
  if (file.kind === 'problem') return file;
  const inFile = pemIn(unquote(file.text));
  return inFile === undefined
    ? problem(`is the path of a file that holds neither PEM nor base64 of PEM: ${FORMS}`)
    : checkPem(inFile);
}

function problem(text: string): { readonly kind: 'problem'; readonly problem: string } {
  return { kind: 'problem', problem: text };
}

/** Quotes are part of the value where a shell or an env file did not take them off. */
function unquote(value: string): string {
  const text = value.trim();
  const inner = /^(["'`])([\s\S]*)\1$/.exec(text)?.[2];
  return inner === undefined ? text : unquote(inner);
}

/** The PEM text in `text`, which may be its base64; `undefined` where there is none. */
function pemIn(text: string): string | undefined {
  if (text.includes('-----BEGIN')) return text;
  const compact = text.replace(/\s+/g, '');
  if (!/^[A-Za-z0-9+/_-]+=*$/.test(compact)) return undefined;
  const decoded = Buffer.from(compact, 'base64').toString('latin1');
  return decoded.includes('-----BEGIN') ? unquote(decoded) : undefined;
}

function checkPem(text: string): PrivateKeyResult {
  const lines = text.replace(/\\+r/g, '').replace(/\\+n/g, '\n');
  const block = /-----BEGIN ([A-Z ]*PRIVATE KEY)-----([\s\S]*?)-----END \1-----/.exec(lines);
  if (block === null) return problem(whyNoBlock(lines));
  const [, label = '', content = ''] = block;
  if (label.startsWith('ENCRYPTED') || content.includes('ENCRYPTED')) {
    return problem(`is protected by a passphrase, which a service cannot type: ${FRESH}`);
  }
  const key = decodeKey(label, content);
  if (key === undefined) {
    const openssh = label.startsWith('OPENSSH') ? ' in the OpenSSH format' : '';
    return problem(`has the frame of a private key${openssh}, but its content cannot be read: ${FRESH}`);
  }
  if (key.asymmetricKeyType !== 'rsa') {
    return problem(`is a key of type ${key.asymmetricKeyType}, but GitHub Apps sign with RSA: ${FRESH}`);
  }
  return { kind: 'key', pem: new Secret(key.export({ type: 'pkcs8', format: 'pem' }).toString()) };
}

function whyNoBlock(text: string): string {
  const label = /-----BEGIN ([A-Z0-9 ]*)-----/.exec(text)?.[1];
  if (label?.endsWith('PRIVATE KEY')) {
    return 'begins as a private key but its last line is missing: put a key of several lines in double quotes';
  }
  if (label === undefined) return `begins as PEM but its first line is broken: ${FORMS}`;
  return `holds a ${label.toLowerCase()}, not a private key: ${FRESH}`;
}

/** Lines are cut anew, because blanks may stand where line ends were. */
function decodeKey(label: string, content: string): KeyObject | undefined {
  const base64 = content.replace(/\s+/g, '');
  const lines = base64.match(/.{1,64}/g) ?? [];
  try {
    return createPrivateKey([`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n'));
  } catch {
    // What OpenSSL says about it helps nobody to find the right key.
    return undefined;
  }
}

type KeyFile =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'problem'; readonly problem: string };

function readKeyFile(given: string, cwd: string): KeyFile {
  const nothing = `is neither PEM, nor base64 of PEM, nor the path of a file that exists: ${FORMS}`;
  if (given.length > MAX_PATH_LENGTH || given.includes('\0') || given.includes('\n')) return problem(nothing);
  const path = resolve(cwd, given);
  try {
    const stat = statSync(path);
    if (!stat.isFile())
      return problem('is the path of something that is not a file: give the path of the .pem file');
    if (stat.size > MAX_FILE_BYTES) {
      return problem('is the path of a file that is too large for a key: give the path of the .pem file');
    }
    return { kind: 'text', text: readFileSync(path, 'utf8') };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    const refused = code === 'EACCES' || code === 'EPERM';
    return problem(
      refused ? 'is the path of a file that may not be read: let the user of the service read it' : nothing,
    );
  }
}
