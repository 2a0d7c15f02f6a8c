/** A store that runs as a child process of ours. */
export interface Engine {
  readonly pid: number;
  /** Ends it gracefully within seconds, by force after that. Idempotent. */
  stop(): Promise<void>;
  /** Ends it at once by SIGKILL, which a stopped or deadlocked process cannot defer. Resolves `exited`. */
  kill(): void;
  /** Resolves when the process is gone. `expected` when `stop` was called before. */
  readonly exited: Promise<EngineExit>;
}

export interface EngineExit {
  readonly expected: boolean;
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The last lines of the process's standard error. */
  readonly stderr: string;
}

/** What an engine says about itself. Satisfied by a pino logger. */
export interface EngineLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** The engine could not start; the message says what to do about it. */
export class EngineStartError extends Error {
  override readonly name = 'EngineStartError';
  readonly reason: 'directory_locked' | 'port_taken' | 'no_answer' | 'failed';

  constructor(reason: EngineStartError['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}
