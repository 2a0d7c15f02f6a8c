import { expect, test } from 'vitest';
import type { JsonValue } from '#api/executions/json-value.ts';
import { limitExpressions, limitProblems, limitsOf } from '#api/executions/limits/declared-limits.ts';

const definition = (limits: JsonValue): JsonValue => ({ document: { metadata: { limits } } });
const problemsOf = (limits: JsonValue) =>
  limitProblems(definition(limits)).map(({ path, message }) => `${path.slice(3).join('.')}: ${message}`);

test('keeps executions longer than the time from which `schedule.after` counts', () => {
  const repeated = (retention: string) =>
    limitProblems({ ...(definition({ retention }) as object), schedule: { after: { hours: 2 } } }).map(
      ({ message }) => message,
    );
  expect(repeated('PT2H')).toEqual([
    '`schedule.after` counts from the last execution: executions are kept longer than that',
  ]);
  expect(repeated('PT3H')).toEqual([]);
});

test('reads declared limits with their defaults', () => {
  const declared = definition({
    concurrency: { max: 2, key: '${ .host }' },
    throttle: { max: 10, period: { minutes: 1 } },
    debounce: { period: 'PT30S', key: '${ $input.host }' },
    priority: -5,
    retention: 'P7D',
  });
  expect(limitProblems(declared)).toEqual([]);
  expect(limitsOf(declared)).toEqual({
    concurrency: { max: 2, key: '${ .host }' },
    throttle: { max: 10, periodMs: 60_000 },
    debounce: { periodMs: 30_000, maxDelayMs: 300_000, key: '${ $input.host }' },
    priority: -5,
    retentionMs: 7 * 86_400_000,
  });
  expect(limitExpressions(declared).map(({ path, expression }) => [path.slice(3).join('.'), expression])).toEqual([
    ['concurrency.key', '.host'],
    ['debounce.key', '$input.host'],
  ]);
  expect(limitsOf(definition({ batch: { max: 2, period: 'PT1S' } }))).toEqual({ batch: { max: 2, periodMs: 1_000 } });
  for (const none of [{}, { document: {} }, { document: { metadata: {} } }]) {
    expect(limitsOf(none)).toEqual({});
    expect(limitProblems(none)).toEqual([]);
  }
});

test.each<[JsonValue, string]>([
  [[], ': must be an object of limits'],
  [{ rate: 1 }, 'rate: `concurrency`, `throttle`, `debounce`, `batch`, `priority`, `retention` are known, not `rate`'],
  [{ concurrency: 5 }, 'concurrency: must be an object with `max`, `key`'],
  [{ concurrency: { max: 0 } }, 'concurrency.max: must be a whole number from 1 to 1000'],
  [{ concurrency: { max: 1, per: 'x' } }, 'concurrency.per: `max`, `key` are known, not `per`'],
  [{ concurrency: { max: 1, key: 7 } }, 'concurrency.key: must be a jq expression'],
  [
    { concurrency: { max: 1, key: '${ $context.x }' } },
    'concurrency.key: the expression is evaluated before the execution starts: it has no $context',
  ],
  [{ throttle: { max: 1 } }, 'throttle.period: must be a duration from 1 second to 1 day'],
  [{ throttle: { max: 1, period: 'PT0.5S' } }, 'throttle.period: must be a duration from 1 second to 1 day'],
  [
    { debounce: { period: 'PT10S', maxDelay: 'PT5S' } },
    'debounce.maxDelay: must be a duration from 10 seconds to 1 day',
  ],
  [{ batch: { max: 1, period: 'PT10S' } }, 'batch.max: must be a whole number from 2 to 1000'],
  [
    { debounce: { period: 'PT1S' }, batch: { max: 2, period: 'PT1S' } },
    'batch: starts are either debounced or batched, not both',
  ],
  [{ priority: 101 }, 'priority: must be a whole number from -100 to 100 or an expression'],
  [
    { retention: 'PT1H', throttle: { max: 1, period: 'PT2H' } },
    'retention: executions are counted for `throttle`: they are kept at least as long as its period',
  ],
  [{ retention: 'PT1M' }, 'retention: must be a duration from 1 hour to 3650 days'],
])('rejects an invalid limit with its position and the expected value: %j', (limits, expected) => {
  expect(problemsOf(limits)).toEqual([expected]);
});
