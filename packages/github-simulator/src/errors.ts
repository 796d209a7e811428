/** An act was asked for that GitHub would refuse: no such pull request, nothing to merge. A fault of the test. */
export class RefusedActError extends Error {
  override readonly name = 'RefusedActError';
}
