import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { NetworkHost } from '#test/support/network.ts';
import type { TraplineProcess } from '#test/support/trapline-process.ts';
import { waitFor } from '#test/support/wait-for.ts';

export type ActorKind =
  | 'kafka'
  | 'clickhouse'
  | 'zookeeper'
  | 'postgres'
  | 'redis'
  | 'sentinel'
  | 'api'
  | 'ingest'
  | 'worker';

/** A process of the installation, on a separate host. */
export interface Actor {
  readonly name: string;
  readonly kind: ActorKind;
  readonly host: NetworkHost;
  /** Resolves to the id of the running process, or of the last one. */
  pid(): Promise<number>;
  /** Sends SIGKILL to the process and its children. */
  kill9(): Promise<void>;
  /** Starts the process if it is not running. Resolves when it serves. */
  serve(): Promise<void>;
  /** Its data folder, if that is a separate disk. */
  readonly disk?: string;
  /** File that holds the offset of its clock. */
  readonly clock?: string;
}

/** Exit of a process that no fault caused directly. */
export interface UnplannedEnd {
  readonly name: string;
  readonly code: number;
  readonly output: string;
}

/** A Trapline process that is restarted whenever it exits, as by a supervisor. */
export interface KeptProcess {
  pid(): Promise<number>;
  kill9(): Promise<void>;
  /** Resolves when the running process has logged that it is running. */
  serve(): Promise<void>;
  /** Sends SIGTERM. Resolves to the exit code. */
  end(): Promise<number>;
  output(): string;
}

/** Time between the exit of a process and its restart. */
const RESTART_MS = 500;

/** Starts a process and keeps it running until `end`. */
export async function keepRunning(
  launch: () => Promise<TraplineProcess>,
  running: string,
  ended: (code: number, output: string) => void,
): Promise<KeptProcess> {
  let current = await launch();
  let killed: TraplineProcess | undefined;
  let over = false;
  const watching = (async () => {
    while (true) {
      const code = await current.exited;
      if (over) return;
      if (killed !== current) ended(code, current.output());
      await current.endAll();
      await pause(RESTART_MS);
      if (over) return;
      current = await launch();
    }
  })();
  return {
    pid: () => current.pid,
    async kill9() {
      killed = current;
      await current.kill9();
    },
    async serve() {
      await waitFor(running, async () => current.running && (await current.log()).includes(running), {
        timeoutMs: 400_000,
        everyMs: 200,
      });
    },
    async end() {
      over = true;
      await current.stop(60_000);
      await watching;
      const code = await current.exited;
      await current.endAll();
      return code;
    },
    output: () => current.output(),
  };
}

/** Returns true if the process exists. */
export async function runs(actor: Actor): Promise<boolean> {
  return existsSync(`/proc/${await actor.pid()}`);
}
