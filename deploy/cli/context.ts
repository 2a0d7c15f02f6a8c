import type { Readable, Writable } from 'node:stream';
import type { Config, Resolved } from '../config.ts';
import type { ExitCode } from './command-error.ts';
import type { ServerConnection } from './server-connection.ts';

/**
 * Environment of a command: streams, configuration, the running server. Created in `main.ts`; tests create their own.
 */
export interface CommandContext {
  readonly stdin: Readable;
  /** For data only. */
  readonly stdout: Writable;
  readonly stderr: Writable & { readonly isTTY?: boolean };
  /**
   * Writes data to stdout and waits while the reader is slow. Throws `OutputClosed` if the reader is gone; commands
   * must not catch it.
   */
  write(chunk: string | Uint8Array): Promise<void>;
  /** Writes one line for the user to standard error. */
  note(text: string): void;
  /** Returns the configuration, read once. Throws a `CommandError` with exit code 2 that lists all errors. */
  config(): Promise<Config>;
  /** As `config`, for a process that serves the platform. Also checks the production requirements. */
  platformConfig(): Promise<Config>;
  /** As `config`, with the flat settings and the origin of each. */
  resolvedConfig(): Promise<Resolved>;
  /** Returns the server for commands: `TRAPLINE_URL`, otherwise the one started on this data directory. */
  server(): Promise<ServerConnection>;
  /** Sets the exit code of the process; 1 if the command found a problem. */
  setExitCode(code: ExitCode): void;
}
