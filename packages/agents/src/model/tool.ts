/**
 * A tool by which the model hands in its answer. There is only this kind: reviewers have no tool with an
 * effect (S7).
 *
 * @module
 */

/** What the model is told about a tool. */
export interface ModelTool {
  readonly name: string;
  /** Name for people. */
  readonly label: string;
  readonly description: string;
  /** JSON schema of the arguments. */
  readonly parameters: object;
}
