import { readFileSync } from 'node:fs';
import { buildSchema, type GraphQLSchema } from 'graphql';
import { once } from '../once.ts';

/**
 * GitHub's published schema. It takes some 0.2 s to build, so it is built for the first query of the process.
 * The package's own entry would read a second copy of 5 MB, so only its file is used; the published text
 * repeats a field, which graphql refuses unless told that the text is valid.
 */
export const publishedSchema: () => GraphQLSchema = once(() => {
  const file = new URL('./schema.graphql', import.meta.resolve('@octokit/graphql-schema'));
  return buildSchema(readFileSync(file, 'utf8'), { assumeValidSDL: true, noLocation: true });
});
