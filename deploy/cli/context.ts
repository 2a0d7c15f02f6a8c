import type { Readable, Writable } from 'node:stream';
import type { Config, Resolved } from '../config.ts';
import type { ExitCode } from './command-error.ts';
import type { ServerConnection } from './server-connection.ts';

/** What a command gets of the world: streams, configuration, the running server. Built in `main.ts`; tests build their own. */
export interface CommandContext {
  readonly stdin: Readable;
  /** Data, and nothing else. */
  readonly stdout: Writable;
  readonly stderr: Writable & { readonly isTTY?: boolean };
  /** Writes data to stdout and waits while the reader is slower. Throws `OutputClosed` when there is no reader any more; let it through. */
  write(chunk: string | Uint8Array): Promise<void>;
  /** One line for people, on standard error. */
  note(text: string): void;
  /** The configuration, read once. Throws a `CommandError` with exit code 2 that lists every error of it. */
  config(): Promise<Config>;
  /** The same for a process that serves the platform: what production requires of it is checked in the same round. */
  platformConfig(): Promise<Config>;
  /** The same with the flat settings and where each came from. */
  resolvedConfig(): Promise<Resolved>;
  /** The server that commands talk to: `TRAPLINE_URL`, else the one started on this data directory. */
  server(): Promise<ServerConnection>;
  /** What the process will exit with when the command ends; 1 when the work found something wrong. */
  setExitCode(code: ExitCode): void;
}
