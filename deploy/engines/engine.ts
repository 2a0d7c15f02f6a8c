/** A store that runs as a child process. */
export interface Engine {
  readonly pid: number;
  /** Stops it gracefully within seconds, otherwise kills it. Idempotent. */
  stop(): Promise<void>;
  /** Kills it with SIGKILL, which a stopped or deadlocked process cannot block. `exited` then resolves. */
  kill(): void;
  /** Resolves when the process has ended. `expected` is true if `stop` was called before. */
  readonly exited: Promise<EngineExit>;
}

export interface EngineExit {
  readonly expected: boolean;
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Last lines of the process's standard error. */
  readonly stderr: string;
}

/** Log of an engine. A pino logger satisfies it. */
export interface EngineLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** The engine could not start. The message says what to do about it. */
export class EngineStartError extends Error {
  override readonly name = 'EngineStartError';
  readonly reason: 'directory_locked' | 'port_taken' | 'no_answer' | 'failed';

  constructor(reason: EngineStartError['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}
