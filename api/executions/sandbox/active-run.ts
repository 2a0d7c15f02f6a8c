import { setTimeout as pause } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { limitThread } from '#api/threads/limit-thread.ts';
import type { JsonValue } from '../json-value.ts';
import { type CallsInFlight, createCallsInFlight } from './calls-in-flight.ts';
import type { FromThread, ScriptOutcome, ScriptStart, ToThread } from './messages.ts';
import {
  type LogLine,
  SandboxFailure,
  type SandboxFailureReason,
  type SandboxResult,
  type SandboxScript,
} from './port.ts';

/**
 * One run of a script, as seen by the process:
 *
 *     running ──▶ ended ──▶ settled
 *
 * It ends by its last message, a limit, the caller, or the death of its thread. From then on, no host call begins.
 * After a result, calls in flight continue to their end within the time limit of the run. After a failure, they are
 * aborted. The run settles when all calls have ended, so a result is never reported before its effects are known.
 * Failures that the script did not handle become lines of its log.
 */
export interface ActiveRun {
  readonly id: string;
  /** Rejects only with `SandboxFailure`. */
  readonly result: Promise<SandboxResult>;
  /** Handles a message. Returns false if the thread violated the protocol. */
  receive(message: FromThread): boolean;
  /** Reports that the thread has died. */
  lose(cause: unknown): void;
  /** Ends the run and its thread. */
  abandon(reason: SandboxFailureReason, text: string): void;
  /** True if the script ended normally and left nothing behind in its thread. */
  clean(): boolean;
}

export interface ActiveRunDeps {
  readonly start: ScriptStart;
  readonly script: SandboxScript;
  readonly signal: AbortSignal | undefined;
  readonly send: (message: ToThread) => void;
  /** Terminates the thread. */
  readonly stop: () => void;
  readonly worker: Pick<Worker, 'cpuUsage' | 'threadId'>;
  /** Resolves when the thread has started. */
  readonly ready: Promise<void>;
}

/**
 * The interpreter measures its processor time, except inside a built-in function. A thread that computes this much
 * longer without a message is terminated.
 */
const GRACE_MS = 500;
/** Maximum start time of a thread on a busy machine. */
const START_MS = 20_000;
/** Maximum time for aborted calls to end. */
const ABORTED_CALLS_MS = 5_000;
const MAX_FAILURE_LINES = 20;
const MAX_FAILURE_CHARACTERS = 500;

/** Starts a run. Long: its functions share the state of one run. */
export function startActiveRun(deps: ActiveRunDeps): ActiveRun {
  const { start, script, signal, send, stop } = deps;
  const { run: id, limits } = start;
  const logs: LogLine[] = [];
  const { promise: result, resolve, reject } = Promise.withResolvers<SandboxResult>();
  const interrupted = Promise.withResolvers<ScriptOutcome>();
  let ended = false;
  let clean = false;
  let ready = false;
  let unwatch = () => {};
  const calls: CallsInFlight = createCallsInFlight(script.hostCalls ?? {}, (answer) => {
    expectMessage();
    send(answer);
  });
  const wall = setTimeout(() => abandon('time', `the script takes longer than ${limits.wallMs} ms`), limits.wallMs);
  const onAbort = () => abandon('aborted', 'the script was ended');
  signal?.addEventListener('abort', onAbort, { once: true });

  /** Terminates the thread unless a message arrives in time. */
  function expectMessage(): void {
    unwatch();
    const late = () => abandon('time', `the script computes for longer than ${limits.timeMs} ms`);
    if (ready) unwatch = limitThread(deps.worker, limits.timeMs + GRACE_MS, late);
    else {
      const starting = setTimeout(late, START_MS);
      unwatch = () => clearTimeout(starting);
    }
  }

  function abandon(reason: SandboxFailureReason, message: string): void {
    clean = false;
    const outcome = { type: 'failed', reason, message } as const;
    interrupted.resolve(outcome);
    end(outcome);
    stop();
  }

  function end(outcome: ScriptOutcome, seen?: readonly number[], cause?: unknown): void {
    if (ended) return;
    ended = true;
    unwatch();
    void settle(outcome, seen, cause);
  }

  async function settle(outcome: ScriptOutcome, seen: readonly number[] | undefined, cause: unknown): Promise<void> {
    const drained = calls.drain();
    const last =
      outcome.type === 'failed' ? outcome : await Promise.race([drained.then(() => outcome), interrupted.promise]);
    if (last.type === 'failed') {
      calls.abort();
      const waiting = new AbortController();
      const timeUp = pause(ABORTED_CALLS_MS, undefined, { signal: waiting.signal }).catch(() => {});
      await Promise.race([drained, timeUp]);
      waiting.abort();
    }
    for (const line of failureLines(calls, seen)) log(line);
    clearTimeout(wall);
    signal?.removeEventListener('abort', onAbort);
    if (last.type === 'failed') reject(new SandboxFailure(last.reason, last.message, logs, { cause }));
    else resolve({ output: last.json === undefined ? undefined : (JSON.parse(last.json) as JsonValue), logs });
  }

  function log(line: LogLine): void {
    logs.push(line);
    script.onLog?.(line);
  }

  function receive(message: FromThread): boolean {
    if (ended) return false;
    switch (message.type) {
      case 'log':
        log(message.line);
        return true;
      case 'waiting':
        unwatch();
        return true;
      case 'call':
        return calls.begin(message);
      case 'done':
      case 'failed':
        ({ clean } = message);
        end(message, message.seen);
        return true;
    }
  }

  expectMessage();
  send(start);
  void deps.ready.then(() => {
    ready = true;
    if (!ended) expectMessage();
  });
  return {
    id,
    result,
    receive,
    lose: (cause) =>
      end({ type: 'failed', reason: 'crashed', message: 'the thread of the script ended' }, undefined, cause),
    abandon,
    clean: () => clean,
  };
}

function* failureLines(calls: CallsInFlight, seen: readonly number[] | undefined): Generator<LogLine> {
  const failures = calls.unseenFailures(seen);
  for (const { name, failure } of failures.slice(0, MAX_FAILURE_LINES)) {
    const outcome =
      failure === undefined
        ? `did not end within ${ABORTED_CALLS_MS} ms after the script; whether it took effect is unknown`
        : `failed: ${failure.slice(0, MAX_FAILURE_CHARACTERS)}`;
    yield { level: 'error', text: `tools.${name}, which the script did not await, ${outcome}` };
  }
  const more = failures.length - MAX_FAILURE_LINES;
  if (more > 0) yield { level: 'error', text: `${more} more calls that the script did not await failed` };
}
