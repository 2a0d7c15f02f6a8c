import type { JsonValue } from '#api/executions/json-value.ts';
import type { LogLine } from '#api/executions/sandbox/port.ts';
import type { AgentConfig, RunLimits } from '../agent-config.ts';
import type { RunFiles } from './run-files.ts';
import type { Tool } from './tool.ts';
import type { Trace } from './trace.ts';

/** Inputs of a runtime. */
export interface RuntimeRun {
  /** See `SandboxScript`. */
  readonly account: string;
  readonly config: AgentConfig;
  readonly limits: RunLimits;
  readonly input: JsonValue;
  readonly metadata: JsonValue;
  readonly files: RunFiles;
  /** Tools that the run may use. Their calls are already counted and traced. */
  readonly tools: readonly Tool[];
  readonly outputSchema: object | undefined;
  readonly trace: Trace;
  /** Receives lines for `issues.md`. */
  readonly issue: (message: string) => void;
  /** Appends a line of a script to the live log of the execution. */
  readonly say: (line: LogLine) => void;
  readonly signal: AbortSignal;
}

/** Result of a runtime. */
export interface RuntimeOutcome {
  readonly output: JsonValue;
  readonly model: string | null;
  /** Usage: inputTokens, outputTokens, steps, credits … */
  readonly cost: Readonly<Record<string, number>>;
}

/** The result after the output was checked. */
export interface CheckedOutcome extends RuntimeOutcome {
  readonly schemaValid: boolean | null;
  /** Names of the tools whose calls succeeded, one per call. */
  readonly tools: readonly string[];
}

/**
 * Thrown if the agent has no output. The message is for its author and contains no secrets. `cost`: usage until then.
 */
export class RuntimeFailure extends Error {
  override readonly name = 'RuntimeFailure';
  readonly code: 'configuration' | 'script' | 'limit' | 'model' | 'output' | 'timeout';
  readonly cost: Readonly<Record<string, number>>;
  readonly model: string | null;

  constructor(
    code: RuntimeFailure['code'],
    message: string,
    used: { readonly cost?: Readonly<Record<string, number>>; readonly model?: string | null } = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.code = code;
    this.cost = used.cost ?? {};
    this.model = used.model ?? null;
  }
}
