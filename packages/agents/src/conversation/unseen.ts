/**
 * Characters that nobody sees.
 *
 * @module
 */

/** Controls, and marks that turn the direction of writing; a prompt has them written out, six characters for one. */
export const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that are meant.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;
