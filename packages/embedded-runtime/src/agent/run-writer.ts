/**
 * Writes one agent run into the entity's stream: its run, step, text, reasoning, tool call and error rows.
 * Row shapes and key forms are those of the published runtime, so that readers of either see the same.
 *
 * @module
 */
import type { Usage } from '@mariozechner/pi-ai';
import type { ModelProviderError } from './errors.ts';
import type { AgentBridge } from './port.ts';

/** How a run ended. The row of an aborted run is `completed`, as the published runtime has it. */
export type RunFinish = 'stop' | 'aborted' | 'error';

/** Which model a step was made by. */
export interface StepModel {
  readonly provider: string;
  readonly id: string;
  /** Tokens that the model can read. */
  readonly contextWindow?: number;
}

type BlockKind = 'text' | 'reasoning';
type OpenBlock = { readonly kind: BlockKind; readonly key: string; seq: number; pending: string };
type ToolRow = {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
  readonly startMs: number;
};
type OpenStep = {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
  readonly startMs: number;
};

/** Deltas are bundled to about this size: an entity's stream stays short, and a reader still sees text grow. */
const MAX_DELTA_CHARS = 1024;

const KEY_OF_BLOCK = { text: 'msg', reasoning: 'reasoning' } as const;

/** A block of text or reasoning that grows: one row, and one more for each bundle of its text. */
class BlockWriter {
  readonly #bridge: AgentBridge;
  readonly #runKey: string;
  #open: OpenBlock | undefined;

  constructor(bridge: AgentBridge, runKey: string) {
    this.#bridge = bridge;
    this.#runKey = runKey;
  }

  append(kind: BlockKind, delta: string): void {
    if (this.#open?.kind !== kind) {
      this.close();
      this.#open = this.#start(kind);
    }
    const block = this.#open;
    block.pending += delta;
    if (block.pending.length >= MAX_DELTA_CHARS) this.#writeDelta(block);
  }

  close(): void {
    const block = this.#open;
    if (block === undefined) return;
    this.#writeDelta(block);
    this.#bridge.emit(block.kind, block.key, 'update', { status: 'completed', run_id: this.#runKey });
    this.#open = undefined;
  }

  #start(kind: BlockKind): OpenBlock {
    const prefix = KEY_OF_BLOCK[kind];
    const key = `${prefix}-${this.#bridge.nextIndex(prefix)}`;
    this.#bridge.emit(kind, key, 'insert', { status: 'streaming', run_id: this.#runKey });
    return { kind, key, seq: 0, pending: '' };
  }

  #writeDelta(block: OpenBlock): void {
    if (block.pending === '') return;
    this.#bridge.emit(`${block.kind}_delta`, `${block.key}:${block.seq}`, 'insert', {
      [`${block.kind}_id`]: block.key,
      run_id: this.#runKey,
      delta: block.pending,
    });
    block.seq += 1;
    block.pending = '';
  }
}

/** One run from its first row to its last. After {@link RunWriter.end} it writes nothing more. */
export class RunWriter {
  readonly key: string;
  /** Number of this run among the entity's runs, from 0. */
  readonly index: number;
  readonly #bridge: AgentBridge;
  readonly #model: StepModel;
  readonly #blocks: BlockWriter;
  readonly #toolRows = new Map<string, ToolRow>();
  #step: OpenStep | undefined;
  #steps = 0;
  #ended = false;

  constructor(bridge: AgentBridge, model: StepModel) {
    this.index = bridge.nextIndex('run');
    this.key = `run-${this.index}`;
    this.#bridge = bridge;
    this.#model = model;
    this.#blocks = new BlockWriter(bridge, this.key);
    bridge.emit('run', this.key, 'insert', { status: 'started' });
  }

  /** Whether {@link RunWriter.end} was called: what comes after belongs to nobody. */
  get ended(): boolean {
    return this.#ended;
  }

  startStep(): void {
    if (this.#ended) return;
    this.#steps += 1;
    const value = {
      run_id: this.key,
      step_number: this.#steps,
      status: 'started',
      model_provider: this.#model.provider,
      model_id: this.#model.id,
    };
    this.#step = { key: `step-${this.#bridge.nextIndex('step')}`, value, startMs: performance.now() };
    this.#bridge.emit('step', this.#step.key, 'insert', value);
  }

  /** Closes the open step. @returns whether there was one */
  endStep(finishReason: string, usage?: Usage): boolean {
    const step = this.#step;
    if (step === undefined) return false;
    this.#step = undefined;
    this.#blocks.close();
    this.#bridge.emit('step', step.key, 'update', {
      ...step.value,
      status: 'completed',
      finish_reason: finishReason,
      duration_ms: Math.round(performance.now() - step.startMs),
      ...(usage === undefined ? {} : usageFields(usage, this.#model)),
    });
    return true;
  }

  text(delta: string): void {
    this.#blocks.append('text', delta);
  }

  reasoning(delta: string): void {
    this.#blocks.append('reasoning', delta);
  }

  /** Ends the block that grows: the next text begins a row of its own. */
  endBlock(): void {
    this.#blocks.close();
  }

  startTool(toolCallId: string, toolName: string, args: unknown): void {
    const value = {
      run_id: this.key,
      tool_call_id: toolCallId,
      tool_name: toolName,
      status: 'started',
      args,
    };
    const key = `tc-${this.#bridge.nextIndex('tc')}`;
    this.#toolRows.set(toolCallId, { key, value, startMs: performance.now() });
    this.#bridge.emit('tool_call', key, 'insert', value);
  }

  endTool(toolCallId: string, result: unknown, isError: boolean): void {
    const row = this.#toolRows.get(toolCallId);
    if (row === undefined) return;
    this.#toolRows.delete(toolCallId);
    this.#bridge.emit('tool_call', row.key, 'update', {
      ...row.value,
      status: isError ? 'failed' : 'completed',
      result: typeof result === 'string' ? result : JSON.stringify(result),
      duration_ms: Math.round(performance.now() - row.startMs),
    });
  }

  /** Writes the error that {@link RunWriter.end} must follow: an observer of the run's end finds it there. */
  error(error: ModelProviderError): void {
    const key = `agent-error-${this.#bridge.nextIndex('agent-error')}`;
    this.#bridge.emit('error', key, 'insert', {
      error_code: error.code,
      message: error.message,
      run_id: this.key,
    });
  }

  end(finish: RunFinish): void {
    if (this.#ended) return;
    this.endStep(finish);
    this.#blocks.close();
    this.#ended = true;
    const status = finish === 'error' ? 'failed' : 'completed';
    this.#bridge.emit('run', this.key, 'update', { status, finish_reason: finish });
  }
}

function usageFields(usage: Usage, model: StepModel): Readonly<Record<string, number>> {
  const uncached = usage.input + usage.cacheWrite;
  return {
    input_tokens: uncached,
    output_tokens: usage.output,
    context_input_tokens: uncached + usage.cacheRead,
    ...(model.contextWindow === undefined ? {} : { context_window: model.contextWindow }),
  };
}
