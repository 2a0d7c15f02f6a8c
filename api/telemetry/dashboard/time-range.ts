import { z } from 'zod';
import type { Buckets } from '#analytics/clickhouse/read-models/buckets.ts';
import { apiError } from '#api/http/api-error.ts';
import { momentQuery } from '#api/http/queries/moment-query.ts';

const DAY_MS = 86_400_000;
const STEPS_SECONDS = [60, 300, 900, 3_600, 21_600, 86_400] as const;
/** Maximum number of buckets. No chart shows more points. */
const MAX_BUCKETS = 300;
const MAX_DAYS = 366;
/** Earlier than every record, and well within the precision of the stores. */
const EARLIEST_MS = Date.parse('2000-01-01T00:00:00Z');

/** `from` and `to` of a dashboard. */
export const timeRangeQuery = z.strictObject({
  from: momentQuery('lower')
    .optional()
    .describe(
      'Start of the range: ISO 8601, or relative such as now()-7d (s, m, h, d, w). Default: 24 hours before `to`.',
    )
    .meta({ example: 'now()-7d' }),
  to: momentQuery('lower')
    .optional()
    .describe('End of the range (exclusive). Default: now.')
    .meta({ example: '2026-02-02T00:00:00Z' }),
});

/** Fields about the buckets in the response of every dashboard. */
export const bucketsShape = {
  from: z.iso.datetime().describe('start of the first bucket').meta({ example: '2026-02-01T00:00:00.000Z' }),
  to: z.iso.datetime().describe('end of the last bucket').meta({ example: '2026-02-02T00:00:00.000Z' }),
  stepSeconds: z.int().describe('length of a bucket in seconds').meta({ example: 300 }),
};

export const atShape = z.iso.datetime().describe('start of the bucket').meta({ example: '2026-02-01T00:00:00.000Z' });

/** Divides the range into at most a few hundred buckets of a readable length. Throws a 400 for an invalid range. */
export function bucketsOf({ from, to }: z.infer<typeof timeRangeQuery>, nowMs: number): Buckets {
  // There is no future data: a range that extends into the future ends now.
  const end = to === undefined ? nowMs : Math.min(to.getTime(), nowMs);
  const begin = from === undefined ? end - DAY_MS : from.getTime();
  if (!(begin >= EARLIEST_MS))
    throw apiError('invalid_value', 'no data is that old: choose a later time', from === undefined ? 'to' : 'from');
  if (begin >= end) throw apiError('invalid_value', 'must be before `to`, and not in the future', 'from');
  if (end - begin > MAX_DAYS * DAY_MS)
    throw apiError('invalid_value', `must not be more than ${MAX_DAYS} days before \`to\``, 'from');
  const stepSeconds = STEPS_SECONDS.find((seconds) => (end - begin) / (seconds * 1_000) <= MAX_BUCKETS) ?? 86_400;
  const step = stepSeconds * 1_000;
  return { fromMs: Math.floor(begin / step) * step, toMs: Math.ceil(end / step) * step, stepSeconds };
}

/** Returns the members of `bucketsShape`. */
export function bucketsJson({ fromMs, toMs, stepSeconds }: Buckets) {
  return { from: timeText(fromMs), to: timeText(toMs), stepSeconds };
}

export function timeText(ms: number): string {
  return new Date(ms).toISOString();
}

/** Replaces `atMs` of a row by `at`. */
export function withTime<Row extends { readonly atMs: number }>({ atMs, ...row }: Row) {
  return { at: timeText(atMs), ...row };
}
