import { z } from 'zod';
import { apiError } from '#api/http/api-error.ts';
import type { Instant } from '#schemas/events/accepted.ts';
import { parseTimestamp } from '#schemas/events/timestamp.ts';

/** Default length of the time range of a back-test, in days. */
const BACKTEST_DAYS = 30;

/** Time fields in the bodies of both back-tests. */
export const timeRangeFields = {
  from: z
    .string()
    .max(64)
    .optional()
    .describe(`Start of the time range (inclusive), RFC 3339; default ${BACKTEST_DAYS} days before \`to\``),
  to: z.string().max(64).optional().describe('End of the time range (exclusive), RFC 3339; default now'),
} as const;

/** Parses the time range of a back-test. Throws a 400 for an invalid time. */
export function timeRangeOf(
  fromText: string | undefined,
  toText: string | undefined,
): { readonly from: Instant; readonly to: Instant } {
  const to = toText === undefined ? { seconds: Math.ceil(Date.now() / 1_000), nanos: 0 } : parseTimestamp(toText);
  if (to === undefined) throw apiError('invalid_value', 'must be an RFC 3339 date-time', 'to');
  const from =
    fromText === undefined
      ? { seconds: to.seconds - BACKTEST_DAYS * 86_400, nanos: to.nanos }
      : parseTimestamp(fromText);
  if (from === undefined) throw apiError('invalid_value', 'must be an RFC 3339 date-time', 'from');
  if (from.seconds >= to.seconds) throw apiError('invalid_value', 'must be before `to`', 'from');
  return { from, to };
}

/** Converts nanoseconds since the epoch to an instant. */
export function instantOf(nanos: string): Instant {
  const seconds = BigInt.asIntN(64, BigInt(nanos));
  const rest = ((seconds % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n;
  return { seconds: Number((seconds - rest) / 1_000_000_000n), nanos: Number(rest) };
}
