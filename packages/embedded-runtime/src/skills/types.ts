/**
 * Skills: Markdown files that tell an agent how to do a kind of work, with the names of the published runtime.
 *
 * @module
 */

/** What is known of a skill without reading its text. */
export interface SkillMeta {
  readonly name: string;
  readonly description: string;
  readonly whenToUse: string;
  readonly keywords: string[];
  /** Names for the words of `args`, in order. */
  readonly arguments?: string[];
  readonly argumentHint?: string;
  /** Whether people may call it by name. */
  readonly userInvocable?: boolean;
  /** Length of the file, in UTF-16 units. */
  readonly charCount: number;
  /** SHA-256 of the file, in hex. */
  readonly contentHash: string;
  /** Absolute path of the file. */
  readonly source: string;
}

/** The skills of one host. */
export interface SkillsRegistry {
  readonly catalog: ReadonlyMap<string, SkillMeta>;
  /**
   * A list of all skills for a prompt; empty without skills. With `budgetChars` it is shortened in steps until it
   * fits: descriptions first, then all but the names, then the names at the end.
   */
  renderCatalog(budgetChars?: number): string;
  /** The whole file, front matter included; `null` for a name that is not in the catalog or a file that is gone. */
  readContent(name: string): Promise<string | null>;
}

/** Where skills are looked for. A skill of a later directory replaces one of the same name. */
export interface SkillsRegistryOptions {
  /** Skills for agents only: their catalog entry says when to use them. */
  readonly baseSkillsDir: string;
  /** Skills that people may call, too. */
  readonly appSkillsDir?: string;
  readonly appSkillsDirs?: readonly string[];
  /** Written to: `skills-cache.json` and a `.gitignore`. */
  readonly cacheDir: string;
}

/** A command that a user interface offers to people. */
export interface SlashCommandDefinition {
  name: string;
  description?: string;
  arguments?: {
    name: string;
    type: 'string' | 'number' | 'boolean';
    required?: boolean;
    description?: string;
  }[];
}

/** A context entry: a text that stays in the entity's timeline until it is removed. */
export interface SkillContextEntry {
  readonly name: string;
  readonly attrs?: Readonly<Record<string, string | number | boolean>>;
  readonly content: string;
}

/** The part of the handler context that the skill tools use. */
export interface SkillContext {
  insertContext(id: string, entry: SkillContextEntry): void;
  removeContext(id: string): void;
  getContext(id: string): unknown;
}
