import type { JsonValue } from '../json-value.ts';

/**
 * Runs untrusted JavaScript. It can reach the process, its machine and its network only through the given host calls.
 */
export interface Sandbox {
  /**
   * Runs a script and resolves to its value. Rejects only with `SandboxFailure`. An aborted signal ends the script
   * immediately.
   *
   * It settles when no host call of the script is in flight. If the script has a value, calls that it did not await
   * continue to their end, within `wallMs`. Otherwise their signal aborts. A failure that the script could not handle
   * becomes a log line of level `error`.
   *
   * The code is a script with top-level `await`: its value is that of its last expression. With a top-level `return`,
   * it is the body of an async function. With `import`, it is a module whose value is its default export;
   * `script-modules.ts` has the available modules. It sees the arguments as global names, `process.env`,
   * `process.argv`, `process.stdin` and `console`. Each host call is an async function `tools.<name>(…)`.
   */
  run(script: SandboxScript, signal?: AbortSignal): Promise<SandboxResult>;
  /** Number of queued and running scripts. */
  pending(): number;
  /** Terminates the threads. Queued and running scripts are rejected with `aborted`. */
  close(): Promise<void>;
}

export interface SandboxScript {
  readonly code: string;
  /**
   * Account of the script. Threads are reused only for scripts of the same account. If undefined, the script has a new
   * thread, which takes longer to start.
   */
  readonly account?: string;
  /** Global names and their values. Names that are not valid JavaScript identifiers are rejected. Default: none. */
  readonly arguments?: Readonly<Record<string, JsonValue>>;
  readonly environment?: Readonly<Record<string, string>>;
  /** Appended to the names of the interpreter and the script in `process.argv`. Default: none. */
  readonly argv?: readonly string[] | undefined;
  /** Contents of `process.stdin`. Default: none. */
  readonly stdin?: string | undefined;
  readonly hostCalls?: HostCalls;
  /** Receives every line of `console` while the script runs. */
  readonly onLog?: (line: LogLine) => void;
  /** Overrides limits of the sandbox for this script. */
  readonly limits?: Partial<ScriptLimits>;
}

/** Host calls by name. A dot makes an object: `files.read` is `tools.files.read(…)`. */
export type HostCalls = Readonly<Record<string, HostCall>>;
/**
 * A function of the host. Its rejection is thrown in the script with the message only, so the message must not contain
 * secrets. `signal` aborts when the script is ended.
 */
export type HostCall = (given: readonly JsonValue[], signal: AbortSignal) => Promise<JsonValue | undefined>;

export interface ScriptLimits {
  /** Processor time of the script in ms, without host calls. Default 1,000. */
  readonly timeMs: number;
  /** Time from start to end with all host calls, in ms, without the wait for a free thread. Default 600,000. */
  readonly wallMs: number;
  /** Heap of the script. Default 32 MiB. */
  readonly memoryBytes: number;
  /** Maximum size of the value, and of the arguments of one host call, in characters of JSON. Default 4 Mi. */
  readonly valueLength: number;
  /** Maximum size of all log lines, in characters. The rest is dropped. Default 256 Ki. */
  readonly logLength: number;
  /** Maximum number of host calls. Default 10,000, of which 64 may be concurrent. */
  readonly hostCalls: number;
}

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export interface LogLine {
  readonly level: (typeof LOG_LEVELS)[number];
  readonly text: string;
}

export interface SandboxResult {
  /** Undefined if the script has no value. */
  readonly output: JsonValue | undefined;
  readonly logs: readonly LogLine[];
}

/**
 * Why a script has no value. `syntax`, `error`: errors of the script. `time`, `memory`, `stack`, `size`, `calls`: a
 * limit. `stuck`: it waits for something that cannot happen. `aborted`: ended by the caller. `busy`: too many scripts
 * are queued. `crashed`: its thread died.
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
  /** Log lines until the failure. */
  readonly logs: readonly LogLine[];

  constructor(reason: SandboxFailureReason, message: string, logs: readonly LogLine[] = [], options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
    this.logs = logs;
  }
}
