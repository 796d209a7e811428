/**
 * The history that the demo reviews when it is given no repository: `parceltrail`, a small published service.
 * The first commit is its `main`; the second is a branch with one real fault per aspect, each of which a built-in
 * rule finds; the last one mends three of them, so that a second review shows progress.
 *
 * The files stand in `sample/`, one folder a commit, with `.txt` behind their names so that no tool takes them
 * for a part of this project.
 *
 * @module
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A commit as data, to be replayed into a git repository. */
export interface SampleCommit {
  readonly message: string;
  readonly author: { readonly name: string; readonly email: string };
  /** ISO 8601, for author and committer. */
  readonly dateIso: string;
  /** What the commit changes: path → whole content, or `null` for a deletion. All other files stay. */
  readonly files: Readonly<Record<string, string | null>>;
}

const ROOT = fileURLToPath(new URL('./sample/', import.meta.url));
const SUFFIX = '.txt';
const MAINTAINER = { name: 'Mara Lindt', email: 'mara@parceltrail.example' };
const CONTRIBUTOR = { name: 'Jonas Reuter', email: 'jonas@parceltrail.example' };

/** Reads the sample: base commit first, then the branch; the last commit is the follow-up. */
export function createSampleHistory(): readonly SampleCommit[] {
  return [
    {
      message: 'Track parcels behind one HTTP service',
      author: MAINTAINER,
      dateIso: '2026-05-04T09:12:00Z',
      files: readFolder('1-service'),
    },
    {
      message: [
        'Counter desk: find parcels, print labels, tell subscribers',
        '',
        'The desk finds a parcel by its recipient (`GET /parcels?recipient=`) and prints its label with a bar code',
        '(`GET /parcels/:code/label`). Subscribers of a parcel hear of every new status.',
      ].join('\n'),
      author: CONTRIBUTOR,
      dateIso: '2026-05-19T10:05:00Z',
      files: readFolder('2-counter-desk'),
    },
    {
      message: 'Bind the search text, run all label tests, add a changeset',
      author: CONTRIBUTOR,
      dateIso: '2026-05-20T08:47:00Z',
      files: readFolder('3-follow-up'),
    },
  ];
}

function readFolder(name: string): Readonly<Record<string, string>> {
  const folder = join(ROOT, name);
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(SUFFIX))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  return Object.fromEntries(
    files.map((file) => [
      relative(folder, file).split(sep).join('/').slice(0, -SUFFIX.length),
      readFileSync(file, 'utf8'),
    ]),
  );
}
