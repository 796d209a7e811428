export default {
  forbidden: [{ name: 'x', severity: 'error', from: { path: 'agents/src/a' }, to: { path: 'agents/src/b' } }],
  options: { tsPreCompilationDeps: true, doNotFollow: { path: 'node_modules' }, tsConfig: { fileName: 'packages/agents/tsconfig.json' } },
};
