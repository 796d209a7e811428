// Editors and a bare `vitest` look for this name only.
export { default } from './vitest.workspace.ts';
