import { setTimeout as delay } from 'node:timers/promises';
import type { JsonValue } from '../json-value.ts';
import type { ThreadCommand, ThreadReport } from './messages.ts';
import type { HostCalls } from './port.ts';

type Call = Extract<ThreadReport, { type: 'call' }>;
export type CallAnswer = Extract<ThreadCommand, { type: 'answer' | 'refusal' }>;

const MAX_FAILURE_LENGTH = 1_000;

/** The host calls of one run of a script. */
export interface CallsInFlight {
  /** Executes a call. Never rejects: an error becomes a refusal. */
  run(call: Call): Promise<CallAnswer>;
  /** Resolves when no call is in flight. */
  settled(): Promise<void>;
  /** Of these calls the failed ones, for people: `files.write: over the quota`. */
  failures(calls: readonly number[]): string[];
  /** Aborts what is in flight. Resolves when it has settled, or after `graceMs` when a call ignores its signal. */
  abort(graceMs: number): Promise<void>;
}

export function createCallsInFlight(hostCalls: HostCalls): CallsInFlight {
  const aborting = new AbortController();
  const pending = new Set<Promise<CallAnswer>>();
  const failures = new Map<number, string>();

  async function execute({ call, name, json }: Call): Promise<CallAnswer> {
    try {
      const hostCall = Object.hasOwn(hostCalls, name) ? hostCalls[name] : undefined;
      if (hostCall === undefined) throw new Error(`there is no tool ${name}`);
      const value = await hostCall(JSON.parse(json) as JsonValue[], aborting.signal);
      return { type: 'answer', call, json: value === undefined ? undefined : JSON.stringify(value) };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      failures.set(call, `${name}: ${message}`.slice(0, MAX_FAILURE_LENGTH));
      return { type: 'refusal', call, message };
    }
  }

  async function settled(): Promise<void> {
    await Promise.all(pending);
  }

  return {
    async run(call) {
      const executing = execute(call);
      pending.add(executing);
      try {
        return await executing;
      } finally {
        pending.delete(executing);
      }
    },
    settled,
    failures: (calls) => calls.flatMap((call) => failures.get(call) ?? []),
    async abort(graceMs) {
      if (pending.size === 0) return;
      aborting.abort();
      const stopWaiting = new AbortController();
      const grace = delay(graceMs, undefined, { signal: stopWaiting.signal }).catch(() => {});
      await Promise.race([settled(), grace]);
      stopWaiting.abort();
    },
  };
}
