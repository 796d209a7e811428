/**
 * Source files as teams have them, before and after a change. Pure: the same arguments give the same text.
 *
 * The diff of a file has 60 lines in two hunks, each of 3 lines of context, 6 removed, 18 added, 3 of context.
 *
 * @module
 */

const AREAS = [
  'billing',
  'booking',
  'catalog',
  'delivery',
  'desk',
  'ledger',
  'market',
  'stock',
  'tour',
  'yard',
];
const THINGS = ['batch', 'bill', 'crate', 'invoice', 'lot', 'order', 'parcel', 'quote', 'ticket', 'voucher'];
/** One file in so many holds a mistake that the built-in analyzers find. */
const MISTAKE_EVERY = 7;

/** How many different files there are. */
export const SOURCE_FILES = AREAS.length * THINGS.length;

/** Which state of a file. */
export type Revision = 'base' | number;

interface Names {
  readonly index: number;
  readonly path: string;
  /** Such as `parcel`. */
  readonly thing: string;
  /** Such as `DeliveryParcel`. */
  readonly type: string;
}

function capital(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}

function namesOf(index: number): Names {
  const area = AREAS[index % AREAS.length] ?? '';
  const thing = THINGS[Math.floor(index / AREAS.length) % THINGS.length] ?? '';
  return { index, path: `src/${area}/${thing}.ts`, thing, type: `${capital(area)}${capital(thing)}` };
}

function head({ thing, type, index }: Names): readonly string[] {
  return [
    `import type { Database } from '../platform/database.ts';`,
    `import type { Mailer } from '../platform/mailer.ts';`,
    '',
    `/** One ${thing} as the database keeps it. */`,
    `export interface ${type} {`,
    '  readonly id: string;',
    '  readonly owner: string;',
    '  readonly lines: readonly { readonly sku: string; readonly quantity: number; readonly unitCents: number }[];',
    '  readonly coupon?: string;',
    '}',
    '',
    `const TAX_RATE = 0.${index + 10};`,
    `const MAX_LINES = ${200 + index};`,
    '',
    `export async function load${type}(database: Database, id: string): Promise<${type} | undefined> {`,
    `  const row = await database.get<${type}>('${thing}', id);`,
    '  return row === undefined ? undefined : { ...row, id };',
    '}',
    '',
    `/** What the owner of a ${thing} pays, in cents. */`,
    `export function total${type}(${thing}: ${type}): number {`,
    `  if (${thing}.lines.length > MAX_LINES) throw new RangeError('a ${thing} with too many lines');`,
  ];
}

function sum({ thing, index }: Names, revision: Revision): readonly string[] {
  if (revision === 'base') {
    return [
      `  let goods${index} = 0;`,
      `  for (const line of ${thing}.lines) goods${index} += line.quantity * line.unitCents;`,
      `  const discount${index} = ${thing}.coupon === undefined ? 0 : goods${index} * 0.05;`,
      `  const shipping${index} = goods${index} > ${5_000 + index} ? 0 : ${490 + index};`,
      `  const tax${index} = (goods${index} - discount${index}) * TAX_RATE;`,
      `  const due = goods${index} - discount${index} + shipping${index} + tax${index};`,
    ];
  }
  return [
    `  const weights = new Map<string, number>();`,
    '  let goods = 0;',
    `  for (const { sku, quantity, unitCents } of ${thing}.lines) {`,
    '    goods += quantity * unitCents;',
    `    weights.set(sku, (weights.get(sku) ?? 0) + quantity * ${index + 3});`,
    '  }',
    '',
    `  const weight = [...weights.values()].reduce((all, one) => all + one, 0);`,
    `  const isHeavy = weight > ${1_000 + revision};`,
    `  const shippingCents = isHeavy ? ${990 + index} : ${490 + index};`,
    `  const isFree = !isHeavy && goods > ${5_000 + index};`,
    '',
    `  let discountCents = 0;`,
    `  if (${thing}.coupon?.startsWith('${thing.toUpperCase()}-') === true) {`,
    `    discountCents = Math.min(goods, Math.round(goods * 0.05) + ${index});`,
    '  }',
    '  const taxCents = Math.round((goods - discountCents) * TAX_RATE);',
    '  const due = goods - discountCents + taxCents + (isFree ? 0 : shippingCents);',
  ];
}

function middle({ thing, type }: Names): readonly string[] {
  return [
    '  return Math.round(due);',
    '}',
    '',
    `/** The ${thing}s of an owner, newest first. */`,
    `export async function list${type}s(database: Database, owner: string): Promise<readonly ${type}[]> {`,
    `  const rows = await database.query<${type}>('${thing}', { owner });`,
    `  return rows.toSorted((a, b) => b.id.localeCompare(a.id));`,
    '}',
    '',
    `/** Removes a ${thing}. @returns whether there was one */`,
    `export async function remove${type}(database: Database, id: string): Promise<boolean> {`,
    `  const removed = await database.remove('${thing}', id);`,
    '  return removed > 0;',
    '}',
    '',
    `export async function remind${type}(database: Database, mailer: Mailer, owner: string): Promise<void> {`,
    `  const found = await list${type}s(database, owner);`,
    `  if (found.length === 0) return;`,
  ];
}

function remind({ thing, type, index }: Names, revision: Revision): readonly string[] {
  if (revision === 'base') {
    return [
      `  const first${index} = found[0];`,
      `  const subject${index} = 'Your ${thing} is waiting';`,
      `  const text${index} = \`\${first${index}?.id} is waiting for you since yesterday.\`;`,
      `  const mail${index} = { to: owner, subject: subject${index}, text: text${index} };`,
      `  const sent${index} = await mailer.send(mail${index});`,
      `  const isSent = sent${index}.accepted.includes(owner);`,
    ];
  }
  const loop =
    index % MISTAKE_EVERY === 0
      ? ['  chunks.forEach(async (chunk) => {', '  });']
      : ['  for (const chunk of chunks) {', '  }'];
  return [
    `  const perMail = ${20 + index};`,
    `  const chunks: (readonly ${type}[])[] = [];`,
    '  for (let start = 0; start < found.length; start += perMail) {',
    '    chunks.push(found.slice(start, start + perMail));',
    '  }',
    '',
    `  const accepted = new Set<string>();`,
    loop[0] ?? '',
    `    const names = chunk.map((one) => \`\${one.id}: \${total${type}(one)} cents\`);`,
    `    const answer = await mailer.send({`,
    `      to: owner,`,
    `      subject: \`\${chunk.length} of your ${thing}s are waiting\`,`,
    `      text: names.join('\\n'),`,
    '    });',
    '    for (const address of answer.accepted) accepted.add(address);',
    loop[1] ?? '',
    '',
    '  const isSent = accepted.has(owner);',
  ];
}

function tail({ thing, type }: Names): readonly string[] {
  return [
    `  await database.note('${thing}', { owner, isSent, count: found.length });`,
    '}',
    '',
    `/** Whether two ${thing}s cost the same. */`,
    `export function same${type}(a: ${type}, b: ${type}): boolean {`,
    `  return total${type}(a) === total${type}(b);`,
    '}',
    '',
  ];
}

/** Path of the file of this number; the first ten lie in ten folders. @param index - below {@link SOURCE_FILES} */
export function sourcePath(index: number): string {
  return namesOf(index).path;
}

/** Text of the file of this number. Two revisions that are not `base` differ in one line. */
export function sourceText(index: number, revision: Revision): string {
  const names = namesOf(index);
  const parts = [head(names), sum(names, revision), middle(names), remind(names, revision), tail(names)];
  return parts.flat().join('\n');
}

/** A line that every change adds, counted from 1: somewhere for a finding. */
export const CHANGED_LINE = head(namesOf(0)).length + 2;

/** What stands besides the sources: what reviewers look for in a repository. */
export function surroundings(): Readonly<Record<string, string>> {
  const tests = AREAS.map((_, index) => {
    const { path, type, thing } = namesOf(index);
    const text = `import { total${type} } from './${thing}.ts';\n\nit('is nothing for no lines', () => {\n  expect(total${type}({ id: '1', owner: 'ada', lines: [] })).toBe(490);\n});\n`;
    return [path.replace(/\.ts$/, '.test.ts'), text] as const;
  });
  return {
    'README.md': '# Shop\n\nWhat the shop sells, and to whom.\n',
    'AGENTS.md': '# Rules\n\nMoney is whole cents. Every exported function has a test.\n',
    'package.json': `${JSON.stringify({ name: '@acme/shop', version: '4.2.0', type: 'module' }, null, 2)}\n`,
    '.changeset/config.json': '{ "ignore": [] }\n',
    'src/platform/database.ts':
      'export interface Database {\n  get<T>(kind: string, id: string): Promise<T | undefined>;\n}\n',
    'src/platform/mailer.ts':
      'export interface Mailer {\n  send(mail: unknown): Promise<{ readonly accepted: readonly string[] }>;\n}\n',
    ...Object.fromEntries(tests),
  };
}
