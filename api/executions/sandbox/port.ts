import type { JsonValue } from '../json-value.ts';

/** Runs JavaScript of strangers: nothing of this process, its machine or its network can be reached but by the host calls that are given. */
export interface Sandbox {
  /**
   * Runs a script and resolves to its value. Rejects with `SandboxFailure` only. When the signal aborts, the script is ended at once.
   *
   * It settles when no host call of the script is in flight any more. Calls that a script did not await go on to their end when the script has a value,
   * within `wallMs`; otherwise their signal aborts. A failure that the script could not see is a line of the log, level `error`.
   *
   * The code is a script with `await`: its value is that of its last expression. With a `return` at its top it is the body of an async function.
   * With `import` it is a module, whose value is its default export; `script-modules.ts` has what it may import.
   * It sees the arguments as global names, `process.env`, `process.argv`, `process.stdin`, `console`, and one async function for each host call as
   * `tools.<name>(…)`.
   */
  run(script: SandboxScript, signal?: AbortSignal): Promise<SandboxResult>;
  /** Scripts that wait or run. */
  pending(): number;
  /** Ends the threads; what still waits or runs is rejected with `aborted`. */
  close(): Promise<void>;
}

export interface SandboxScript {
  readonly code: string;
  /** Whose script it is: threads are reused for scripts of the same account. Undefined: this script has a thread of its own, which takes longer to start. */
  readonly account?: string;
  /** Global names; a name that is not valid in JavaScript is refused. Default none. */
  readonly arguments?: Readonly<Record<string, JsonValue>>;
  readonly environment?: Readonly<Record<string, string>>;
  /** Follows the names of the interpreter and the script in `process.argv`. Default none. */
  readonly argv?: readonly string[] | undefined;
  /** What the script reads from `process.stdin`. Default none. */
  readonly stdin?: string | undefined;
  readonly hostCalls?: HostCalls;
  /** Receives every line of `console` while the script runs. */
  readonly onLog?: (line: LogLine) => void;
  /** For this script instead of the sandbox's own. */
  readonly limits?: Partial<ScriptLimits>;
}

/** A dot in a name makes an object: `files.read` is `tools.files.read(…)`. */
export type HostCalls = Readonly<Record<string, HostCall>>;
/** What it rejects with is thrown in the script, its message alone: the message must hold no secret. `signal` aborts when the script is ended. */
export type HostCall = (given: readonly JsonValue[], signal: AbortSignal) => Promise<JsonValue | undefined>;

export interface ScriptLimits {
  /** Processor time the script itself takes, ms; what host calls take does not count. Default 1,000. */
  readonly timeMs: number;
  /** From the start to the end with all host calls, ms; the wait for a free thread does not count. Default 600,000. */
  readonly wallMs: number;
  /** Of the script's heap. Default 32 MiB. */
  readonly memoryBytes: number;
  /** Of the value, and of what is given to one host call, as JSON, characters. Default 4 Mi. */
  readonly valueLength: number;
  /** Of all log lines together, characters; what comes after is left out. Default 256 Ki. */
  readonly logLength: number;
  /** Host calls in all. Default 10,000; 64 of them at a time. */
  readonly hostCalls: number;
}

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export interface LogLine {
  readonly level: (typeof LOG_LEVELS)[number];
  readonly text: string;
}

export interface SandboxResult {
  /** undefined when the script has no value. */
  readonly output: JsonValue | undefined;
  readonly logs: readonly LogLine[];
}

/**
 * Why a script gave no value. `syntax`, `error`: the script's own; `time`, `memory`, `stack`, `size`, `calls`: a limit; `stuck`: it waits for
 * what never comes; `aborted`: the caller's wish; `busy`: too many wait already; `crashed`: its thread died.
 */
export type SandboxFailureReason =
  | 'syntax'
  | 'error'
  | 'time'
  | 'memory'
  | 'stack'
  | 'size'
  | 'calls'
  | 'stuck'
  | 'aborted'
  | 'busy'
  | 'crashed';

export class SandboxFailure extends Error {
  override readonly name = 'SandboxFailure';
  readonly reason: SandboxFailureReason;
  /** What the script said until then. */
  readonly logs: readonly LogLine[];

  constructor(reason: SandboxFailureReason, message: string, logs: readonly LogLine[] = [], options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
    this.logs = logs;
  }
}
