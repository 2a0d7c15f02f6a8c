import { createHash } from 'node:crypto';
import type { JsonValue } from '../../json-value.ts';
import type { Step } from './frames.ts';
import { get } from './json.ts';
import { evaluateDuration } from './values.ts';

/** No retry waits longer: exponents grow fast. */
const MAX_MS = 30 * 86_400_000;

/**
 * How long to wait before a retry, in milliseconds: `delay`, made longer by the back-off (constant: not at all; linear: times the number of the retry;
 * exponential: doubled with every retry), and a jitter between `from` and `to`. The jitter comes from execution, step, attempt and number: it differs
 * between executions, and is the same whenever it is computed again.
 */
export async function retryDelay(step: Step, policy: JsonValue, retry: number): Promise<number> {
  const given = get(policy, 'delay');
  const delay = given === undefined ? 0 : await evaluateDuration(step, given, 'the delay');
  const backoff = get(policy, 'backoff');
  const factor =
    get(backoff, 'exponential') !== undefined ? 2 ** (retry - 1) : get(backoff, 'linear') !== undefined ? retry : 1;
  const jitter = get(policy, 'jitter');
  let extra = 0;
  if (jitter !== undefined) {
    const from = await evaluateDuration(step, get(jitter, 'from') ?? null, 'the jitter');
    const to = await evaluateDuration(step, get(jitter, 'to') ?? null, 'the jitter');
    extra = from + fraction(step, retry) * Math.max(0, to - from);
  }
  return Math.round(Math.min(MAX_MS, delay * factor + extra));
}

/** Between 0 and 1, evenly, and always the same for the same retry. */
function fraction({ run, path, frame }: Step, retry: number): number {
  const hash = createHash('sha256').update(`${run.context.executionId}\n${path}\n${frame.attempt}\n${retry}`).digest();
  return hash.readUInt32BE(0) / 2 ** 32;
}
