import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { sendSignal } from './send-signal.ts';

/**
 * Shell script that starts the service ("$@") and kills it, with its descendants, when the pipe from the runner closes.
 * The kernel closes that pipe however the runner ends, also on SIGKILL. The shell has a separate session, so Ctrl-C at
 * the terminal reaches only the runner, which then ends the services in order. When the pipe closes while the service
 * is running, the shell exits only after it has removed the folder. The folder of a service that ended earlier is also
 * removed when the pipe closes. Removal is retried, because engines of a killed service write for a moment longer.
 */
const SUPERVISOR = `
remove=$1; shift
remove() {
  [ -n "$remove" ] || return
  tries=0
  while rm -rf "$remove"; [ -e "$remove" ] && [ $tries -lt 300 ]; do tries=$((tries + 1)); sleep 0.1; done
}
closed() { while read -r line <&3; do :; done; }
"$@" </dev/null 3<&- 4>&- &
service=$!
echo $service >&4
exec 4>&-
(
  trap exit TERM
  closed
  trap '' TERM
  kill -KILL $service; remove; kill -KILL 0
) >/dev/null 2>&1 &
watcher=$!
wait $service
code=$?
exec >/dev/null 2>&1
kill -TERM $watcher
wait $watcher
[ -z "$remove" ] || (closed; remove) &
exit $code
`;

export interface SupervisedProcess {
  /** Resolves to the exit code (128 + signal number after a signal). */
  readonly exited: Promise<number>;
  readonly running: boolean;
  /** Process id of the service itself. */
  readonly pid: Promise<number>;
  /** Sends a signal to the service. After SIGSTOP, resolves when every thread of the service has stopped. */
  signal(name: NodeJS.Signals): Promise<void>;
  /** Sends SIGKILL, so that the service cannot flush. Resolves when the kernel has closed its files and connections. */
  kill9(): Promise<void>;
  /** Sends SIGTERM to the service, and SIGKILL if it has not ended after `graceMs`. */
  stop(graceMs?: number): Promise<void>;
  /** Ends the service if it is running, and deletes `removeAtEnd`, as at the end of the runner. */
  endAll(): Promise<void>;
  /** Returns the end of the output, for error messages. */
  output(): string;
}

export interface SuperviseOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly logFile: string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Folder to delete when the runner has ended. */
  readonly removeAtEnd?: string;
}

export function supervise(options: SuperviseOptions): SupervisedProcess {
  const log = openSync(options.logFile, 'a');
  const child = spawn('sh', ['-c', SUPERVISOR, 'sh', options.removeAtEnd ?? '', options.command, ...options.args], {
    detached: true,
    // A separate pipe, because Node closes standard input when the service ends.
    stdio: ['ignore', log, log, 'pipe', 'pipe'],
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
  });
  closeSync(log);
  // The runner must not wait for its services, because they stop when the runner ends.
  child.unref();
  const [, , , lifeline, pidPipe] = child.stdio as unknown as readonly Socket[];
  for (const pipe of [lifeline, pidPipe]) pipe?.unref();
  lifeline?.on('error', () => {});
  let running = true;
  const exited = new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      running = false;
      resolve(code ?? (signal === 'SIGKILL' ? 137 : 143));
    });
  });
  exited.catch(() => {});
  // The supervisor first writes the pid. Signals go to the service and not to the supervisor, which survives and reaps
  // it.
  const servicePid = new Promise<number>((resolve) => {
    pidPipe?.once('data', (text: Buffer) => resolve(Number(text.toString())));
  });
  const signal = async (name: NodeJS.Signals): Promise<void> => {
    const pid = await Promise.race([servicePid, exited]);
    if (running) await sendSignal(pid, name);
  };
  return {
    exited,
    get running() {
      return running;
    },
    pid: servicePid,
    signal,
    async kill9() {
      if (running) child.ref();
      await signal('SIGKILL');
      await exited;
    },
    async stop(graceMs = 0) {
      if (running) child.ref();
      if (graceMs > 0) {
        await signal('SIGTERM');
        const { promise, resolve } = Promise.withResolvers<void>();
        const timer = setTimeout(resolve, graceMs);
        await Promise.race([exited, promise]);
        clearTimeout(timer);
      }
      await signal('SIGKILL');
      await exited;
    },
    async endAll() {
      if (running) child.ref();
      lifeline?.destroy();
      await exited;
      if (options.removeAtEnd !== undefined)
        await rm(options.removeAtEnd, { recursive: true, force: true, maxRetries: 60, retryDelay: 50 });
    },
    output: () => readFileSync(options.logFile, 'utf8').slice(-4_000),
  };
}
