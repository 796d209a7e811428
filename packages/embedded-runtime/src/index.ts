/**
 * The public API of `@electric-ax/agents-runtime` in one process on one SQLite file.
 *
 * @module
 */

export { ModelProviderError } from './agent/errors.ts';
export type { AgentConfig, AgentHandle, AgentRunResult, AgentTool, StreamFn } from './agent/types.ts';
export {
  createRuntimeServerClient,
  type EntityJson,
  type RuntimeServerClient,
  type RuntimeServerClientOptions,
} from './client.ts';
export { type Clock, systemClock } from './clock.ts';
export type { WebhookEvent } from './engine/webhooks.ts';
export {
  ChildExistsError,
  ContextConfigError,
  DataDirInUseError,
  DefinitionError,
  DuplicateKeyError,
  EmbeddedRuntimeError,
  HostNotRunningError,
  NewerDatabaseError,
  NotSupportedError,
  PassOverError,
  RequestError,
  RequestFailedError,
  SchemaValidationError,
  StorageError,
} from './errors.ts';
export { createEmbeddedHost, type EmbeddedHost, type EmbeddedHostOptions } from './host.ts';
export { createEntityRegistry, type EntityRegistry, type EntityTypeEntry, passthrough } from './registry.ts';
export { createRuntimeHandler, type RuntimeHandler, type RuntimeHandlerConfig } from './runtime-handler.ts';
export type { RuntimeLog } from './runtime-log.ts';
export {
  buildSkillSlashCommands,
  type ContextSkillLoader,
  type ContextSkillLoaderOptions,
  createContextSkillLoader,
  type LoadedSkillContext,
} from './skills/context-loader.ts';
export { createSkillsRegistry } from './skills/registry.ts';
export { createSkillTools } from './skills/tools.ts';
export type {
  SkillMeta,
  SkillsRegistry,
  SkillsRegistryOptions,
  SlashCommandDefinition,
} from './skills/types.ts';
export {
  cron,
  db,
  entity,
  getWebhookStreamPath,
  webhook,
  webhookEventRowSchema,
  webhookObservationCollections,
} from './sources.ts';
export { createManualClock, type ManualClock } from './testing/manual-clock.ts';
export type * from './types.ts';
