import { apiError } from '#api/http/api-error.ts';
import type { Detection } from '#schemas/detection.ts';
import type { Instant } from '#schemas/events/accepted.ts';
import { parseTimestamp } from '#schemas/events/timestamp.ts';

/** Days that a back-test goes back where it is not given a beginning. */
export const BACKTEST_DAYS = 30;
/** Detections of a kind that a back-test returns at most. */
export const SHOWN_DETECTIONS = 20;

/** The stretch of time of a back-test. Throws a 400 for what is no time. */
export function stretchOf(
  fromText: string | undefined,
  toText: string | undefined,
): { readonly from: Instant; readonly to: Instant } {
  const to = toText === undefined ? { seconds: Math.ceil(Date.now() / 1_000), nanos: 0 } : parseTimestamp(toText);
  if (to === undefined) throw apiError('invalid_value', 'an RFC 3339 date-time is expected', 'to');
  const from =
    fromText === undefined
      ? { seconds: to.seconds - BACKTEST_DAYS * 86_400, nanos: to.nanos }
      : parseTimestamp(fromText);
  if (from === undefined) throw apiError('invalid_value', 'an RFC 3339 date-time is expected', 'from');
  if (from.seconds >= to.seconds) throw apiError('invalid_value', 'must be before `to`', 'from');
  return { from, to };
}

/** The instant of so many nanoseconds since the epoch. */
export function instantOf(nanos: string): Instant {
  const seconds = BigInt.asIntN(64, BigInt(nanos));
  const rest = ((seconds % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n;
  return { seconds: Number((seconds - rest) / 1_000_000_000n), nanos: Number(rest) };
}

/** Without the V1 event, whose 64-bit digits JSON would round. */
export function shownDetections(detections: readonly Detection[]) {
  return detections.slice(0, SHOWN_DETECTIONS).map(({ event: _, ...detection }) => detection);
}
