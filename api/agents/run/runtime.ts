import type { JsonValue } from '#api/executions/json-value.ts';
import type { LogLine } from '#api/executions/sandbox/port.ts';
import type { AgentConfig, RunLimits } from '../agent-config.ts';
import type { RunFiles } from './run-files.ts';
import type { Tool } from './tool.ts';
import type { Trace } from './trace.ts';

/** What a runtime is given. */
export interface RuntimeRun {
  /** See `SandboxScript`. */
  readonly account: string;
  readonly config: AgentConfig;
  readonly limits: RunLimits;
  readonly input: JsonValue;
  readonly metadata: JsonValue;
  readonly files: RunFiles;
  /** Those the run may use; each call is counted and traced already. */
  readonly tools: readonly Tool[];
  readonly outputSchema: object | undefined;
  readonly trace: Trace;
  /** Receives lines for `issues.md`. */
  readonly issue: (message: string) => void;
  /** Puts a line of a script into the live log of the execution. */
  readonly say: (line: LogLine) => void;
  readonly signal: AbortSignal;
}

/** What came of it. */
export interface RuntimeOutcome {
  readonly output: JsonValue;
  readonly model: string | null;
  /** Counts: inputTokens, outputTokens, steps, credits … */
  readonly cost: Readonly<Record<string, number>>;
}

/** The same after the output was checked. */
export interface CheckedOutcome extends RuntimeOutcome {
  readonly schemaValid: boolean | null;
  /** Names of the tools that were called and answered, one for each call. */
  readonly tools: readonly string[];
}

/** The agent did not come to an output; the message is for its author and holds no secret. `cost`: what it used until then. */
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
