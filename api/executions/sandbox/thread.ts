import { Worker } from 'node:worker_threads';
import { MIB_OF_LENT_PAGES } from '../../lent-pages.ts';
import { threadEnvironment } from '../../thread-environment.ts';
import type { JsonValue } from '../json-value.ts';
import { createCallsInFlight } from './calls-in-flight.ts';
import type { FromThread, ScriptEnd, ThreadCommand, ThreadReport, ToThread } from './messages.ts';
import {
  type LogLine,
  SandboxFailure,
  type SandboxFailureReason,
  type SandboxResult,
  type SandboxScript,
} from './port.ts';

/*
 * A run of a script in a thread:
 *
 *   computing ──done──► completing ──no call in flight──► reported
 *       │                   │
 *       └──failure, abort, time, loss of the thread──► aborting ──calls settled, or a grace time──► reported
 *
 * A host call that the script did not await was accepted: it completes before the result is reported. Nothing of a run is sent to the thread,
 * and nothing is taken from it, once the run has left `computing`.
 */

/** One thread, with one script at a time. */
export interface SandboxThread {
  run(
    command: Extract<ThreadCommand, { type: 'run' }>,
    script: SandboxScript,
    signal: AbortSignal | undefined,
  ): Promise<SandboxResult>;
  /** Whether it can take another script. */
  alive(): boolean;
  end(): Promise<void>;
}

/** The interpreter watches its own processor time. The thread is terminated when it does not report, even with this share of a processor. */
const LEAST_SHARE = 1 / 4;
const GRACE_MS = 1_000;
/** Start of a thread on a busy machine, at most. */
const START_MS = 20_000;
/** Host calls that ignore their abort signal delay the report of a failure by this much at most. */
const ABORT_GRACE_MS = 5_000;
/** The interpreter's stack lies on the thread's: with room to spare its own limit is reached first. */
const RESOURCES = { maxOldGenerationSizeMb: 64 + MIB_OF_LENT_PAGES, maxYoungGenerationSizeMb: 8, stackSizeMb: 16 };

interface ComputingRun {
  readonly number: number;
  onReport(report: ThreadReport): void;
  onLoss(cause: unknown): void;
}

export function startThread(): SandboxThread {
  const worker = new Worker(new URL('./sandbox-worker.ts', import.meta.url), {
    name: 'sandbox',
    env: threadEnvironment(),
    execArgv: [],
    resourceLimits: RESOURCES,
  });
  worker.unref();
  let alive = true;
  let ready = false;
  let runs = 0;
  let computing: ComputingRun | undefined;
  worker.on('message', (message: FromThread | { type: 'ready' }) => {
    if (message.type === 'ready') ready = true;
    else if (message.run === computing?.number) computing.onReport(message);
  });
  const lose = (cause?: unknown) => {
    alive = false;
    computing?.onLoss(cause);
  };
  worker.on('error', lose);
  worker.on('exit', () => lose());

  async function end(): Promise<void> {
    alive = false;
    await worker.terminate();
  }

  async function run(
    command: Extract<ThreadCommand, { type: 'run' }>,
    { hostCalls = {}, onLog }: SandboxScript,
    signal: AbortSignal | undefined,
  ): Promise<SandboxResult> {
    if (computing !== undefined) throw new TypeError('a thread of the sandbox runs one script at a time');
    const { limits } = command;
    const number = ++runs;
    const logs: LogLine[] = [];
    const log = (line: LogLine): void => {
      logs.push(line);
      onLog?.(line);
    };
    const calls = createCallsInFlight(hostCalls);
    const done = Promise.withResolvers<Extract<ScriptEnd, { type: 'done' }>>();
    const failed = Promise.withResolvers<never>();
    failed.promise.catch(() => {}); // handled below, perhaps later than it rejects
    const fail = (reason: SandboxFailureReason, text: string, cause?: unknown) =>
      failed.reject(new SandboxFailure(reason, text, logs, { cause }));
    const abandon = (reason: SandboxFailureReason, text: string) => {
      fail(reason, text);
      if (isComputing()) void end();
    };
    const isComputing = () => computing?.number === number;

    let watch: NodeJS.Timeout | undefined;
    const send = (next: ThreadCommand) => {
      if (!alive || !isComputing()) return;
      clearTimeout(watch);
      watch = setTimeout(
        () => abandon('time', `the script computes for longer than ${limits.timeMs} ms`),
        limits.timeMs / LEAST_SHARE + GRACE_MS + (ready ? 0 : START_MS),
      );
      worker.postMessage({ ...next, run: number } satisfies ToThread);
    };

    const onAbort = () => abandon('aborted', 'the script was ended');
    signal?.addEventListener('abort', onAbort, { once: true });
    const wall = setTimeout(() => abandon('time', `the script takes longer than ${limits.wallMs} ms`), limits.wallMs);
    worker.ref(); // a process does not end while a script is awaited; idle threads do not keep it alive
    computing = {
      number,
      onLoss: (cause) => fail('crashed', 'the thread of the script ended', cause),
      onReport(report) {
        switch (report.type) {
          case 'log':
            return log(report.line);
          case 'waiting':
            return clearTimeout(watch);
          case 'done':
            return done.resolve(report);
          case 'failed':
            return fail(report.reason, report.message);
          case 'call':
            void calls.run(report).then(send);
        }
      },
    };
    const leaveComputing = () => {
      clearTimeout(watch);
      if (isComputing()) computing = undefined;
    };
    try {
      if (alive) send(command);
      else fail('crashed', 'the thread of the script ended');
      const { json, unanswered } = await Promise.race([done.promise, failed.promise]);
      leaveComputing();
      await Promise.race([calls.settled(), failed.promise]);
      for (const failure of calls.failures(unanswered)) log({ level: 'warn', text: `not awaited: ${failure}` });
      return { output: json === undefined ? undefined : (JSON.parse(json) as JsonValue), logs };
    } finally {
      leaveComputing();
      clearTimeout(wall);
      signal?.removeEventListener('abort', onAbort);
      worker.unref();
      await calls.abort(ABORT_GRACE_MS);
    }
  }

  return { run, end, alive: () => alive };
}
