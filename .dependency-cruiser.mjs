/**
 * Which file may import which: the floors of `docs/architecture.md`, and the modules that do no I/O.
 */
const AGENTS = '^packages/agents/src';
const TESTS = '(\\.test\\.ts$|/testing/)';

/** From the top. A module imports from its own floor and from those below it. */
const FLOORS = [
  ['cli', `${AGENTS}/cli\\.ts$`],
  ['commands', `${AGENTS}/commands/`],
  ['demo', `${AGENTS}/demo/`],
  ['local', `${AGENTS}/local/`],
  ['host', `${AGENTS}/host/`],
  ['index', `${AGENTS}/index\\.ts$`],
  ['agents', `${AGENTS}/agents/`],
  ['model-and-github', `${AGENTS}/(model|github)/`],
  ['review', `${AGENTS}/review/`],
  ['conversation-events-config', `${AGENTS}/(conversation/|github-event|config|private-key)`],
  ['ids-errors-log', `${AGENTS}/(ids|errors|log|near)\\.ts$`],
];

const downOnly = FLOORS.slice(1).map(([name, path], index) => ({
  name: `down-only-from-${name}`,
  comment: 'Imports run down the floors, so that the lower ones can be read and tested alone.',
  severity: 'error',
  from: { path, pathNot: TESTS },
  to: { path: FLOORS.slice(0, index + 1).map(([, above]) => above) },
}));

const PURE = `${AGENTS}/(review/|conversation/gate|github-event)`;

export default {
  forbidden: [
    ...downOnly,
    {
      name: 'no-circle',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'pure-modules-do-no-io',
      comment: 'review/, the gate and github-events are data in, data out. A hash is no I/O.',
      severity: 'error',
      from: { path: PURE, pathNot: TESTS },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?crypto$' },
    },
    {
      name: 'pure-modules-import-parsers-only',
      severity: 'error',
      from: { path: PURE, pathNot: TESTS },
      to: {
        path: 'node_modules',
        pathNot: 'node_modules/(zod|diff|mdast-util-|micromark|unist-util-|@types/)',
      },
    },
    {
      name: 'simulator-is-for-demo-local-and-tests',
      severity: 'error',
      from: { path: AGENTS, pathNot: [`${AGENTS}/(demo|local)/`, TESTS, '/e2e/'] },
      to: { path: '^packages/github-simulator/' },
    },
    {
      name: 'one-file-opens-sqlite',
      comment: 'libsql binds some values in ways that lose data or the process; db.ts checks what it binds.',
      severity: 'error',
      from: { pathNot: '^packages/embedded-runtime/src/db(\\.test)?\\.ts$' },
      to: { path: 'node_modules/libsql/' },
    },
    {
      name: 'runtime-and-simulator-know-nothing-of-us',
      severity: 'error',
      from: { path: '^packages/(embedded-runtime|github-simulator)/' },
      to: { path: '^packages/agents/' },
    },
    {
      name: 'no-unresolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: 'demo/sample/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
