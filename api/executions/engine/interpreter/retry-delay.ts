import { createHash } from 'node:crypto';
import type { JsonValue } from '../../json-value.ts';
import type { Step } from './frames.ts';
import { get } from './json.ts';
import { evaluateDuration } from './values.ts';

/** Maximum delay, because exponential back-off grows fast. */
const MAX_MS = 30 * 86_400_000;

/**
 * Returns the delay before a retry in milliseconds: `delay` with back-off, plus a jitter between `from` and `to`.
 * Back-off is constant, linear (times the number of the retry) or exponential (doubled for each retry). The jitter is
 * derived from execution, step, attempt and retry. So it differs between executions, but is reproducible.
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

/** Returns a uniformly distributed number between 0 and 1, always the same for the same retry. */
function fraction({ run, path, frame }: Step, retry: number): number {
  const hash = createHash('sha256').update(`${run.context.executionId}\n${path}\n${frame.attempt}\n${retry}`).digest();
  return hash.readUInt32BE(0) / 2 ** 32;
}
