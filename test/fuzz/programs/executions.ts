import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from './client.ts';

export interface Ended {
  readonly id: string;
  readonly status: string;
  readonly result: unknown;
  readonly error: string;
  /** True if the fuzzer cancelled the execution because it did not end in time. */
  readonly cancelled: boolean;
}

const FINAL = new Set(['completed', 'failed', 'cancelled', 'rejected']);
export const NOT_FINAL = 'created,pending,running,waiting,finalizing';
const CANCEL_MS = 60_000;
const POLL_MS = 250;

/** Waits until an execution ends; cancels it after `waitMs`. Resolves to undefined if it still does not end. */
export async function endOf(
  client: Client,
  kind: 'workflows' | 'agents',
  started: unknown,
  waitMs: number,
): Promise<Ended | undefined> {
  const { executionId: id, ...first } = started as { readonly executionId: string };
  const at = (path: string) => `/api/v1/${kind}/executions/${id}${path}`;
  let seen = endedOf(id, first, false);
  const deadline = Date.now() + waitMs;
  while (seen === undefined && Date.now() < deadline) {
    await pause(POLL_MS);
    seen = endedOf(id, (await client.call('GET', at(''))).body, false);
  }
  if (seen !== undefined) return seen;
  await client.call('POST', at('/cancel'));
  const last = Date.now() + CANCEL_MS;
  while (seen === undefined && Date.now() < last) {
    seen = endedOf(id, (await client.call('GET', at(''))).body, true);
    if (seen === undefined) await pause(POLL_MS);
  }
  return seen;
}

function endedOf(id: string, body: unknown, cancelled: boolean): Ended | undefined {
  const whole = (body ?? {}) as Record<string, unknown>;
  const { status, result, output, error } = (whole.execution ?? whole) as Record<string, unknown>;
  if (typeof status !== 'string' || !FINAL.has(status)) return undefined;
  return {
    id,
    status,
    result: result ?? output ?? null,
    error: typeof error === 'string' ? error : error == null ? '' : JSON.stringify(error),
    cancelled,
  };
}
