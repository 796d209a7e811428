const GIT =
  /^(?:git(?:\+\w+)?:|git@|github:|gitlab:|bitbucket:|gist:)|^[\w.-]+\/[\w.-]+(?:#.*)?$|\.git(?:#.*)?$/;
const ADDRESS = /^https?:\/\//;
const FOLDER = /^(?:file|link|portal):/;

/** Where a dependency of package.json comes from, for people; `undefined` where that is a registry. */
export function unregisteredSource(
  version: string,
): 'a git repository' | 'a web address' | 'a folder on the disk' | undefined {
  if (GIT.test(version)) return 'a git repository';
  if (ADDRESS.test(version)) return 'a web address';
  return FOLDER.test(version) ? 'a folder on the disk' : undefined;
}
