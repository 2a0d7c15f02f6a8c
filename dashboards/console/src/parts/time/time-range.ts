import { PARTS_TEXT } from '../text.ts';
import { momentText } from './time-words.ts';

const TEXT = PARTS_TEXT.time;

/** Named time ranges that end now. */
export const RANGES = TEXT.ranges;
export type RangeName = keyof typeof RANGES;
export const RANGE_NAMES = Object.keys(RANGES) as RangeName[];

const HOUR_MS = 3_600_000;
const RANGE_MS: Readonly<Record<RangeName, number>> = {
  '1h': HOUR_MS,
  '24h': 24 * HOUR_MS,
  '7d': 7 * 24 * HOUR_MS,
  '30d': 30 * 24 * HOUR_MS,
  '365d': 365 * 24 * HOUR_MS,
};

/** A time range in search parameters: a named range, or either end in RFC 3339. Without any, all time. */
export interface TimeRange {
  readonly range?: RangeName | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/**
 * Returns the ends of a range, for the API. A named range starts on a whole minute, so that requests within one minute
 * share a cache entry.
 */
export function endsOf(
  { range, from, to }: TimeRange,
  nowMs: number,
): { readonly from?: string; readonly to?: string } {
  if (range !== undefined)
    return { from: new Date(Math.floor((nowMs - RANGE_MS[range]) / 60_000) * 60_000).toISOString() };
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}

/** Whether a range has no ends. */
export function isAllTime({ range, from, to }: TimeRange): boolean {
  return range === undefined && from === undefined && to === undefined;
}

/**
 * Returns the ends of a range for calls that require a start. The default start is the range `otherwise` before its
 * end.
 */
export function countedEnds(time: TimeRange, otherwise: RangeName, nowMs: number) {
  const { from, to } = endsOf(time, nowMs);
  if (from !== undefined) return { from, ...(to === undefined ? {} : { to }) };
  return {
    ...endsOf({ range: otherwise }, to === undefined ? nowMs : Date.parse(to)),
    ...(to === undefined ? {} : { to }),
  };
}

/** Returns a time in search parameters as RFC 3339 in UTC. Undefined if it is invalid. */
export function timeParam(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const ms = Date.parse(value);
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}

/** Returns a phrase for the end of a sentence: `in the last hour`, `since 1 Mar 09:05:07`. */
export function rangeText({ range, from, to }: TimeRange): string {
  if (range !== undefined) return TEXT.within[range];
  const text = (at: string) => momentText(new Date(at));
  if (from !== undefined && to !== undefined) return TEXT.between(text(from), text(to));
  if (from !== undefined) return TEXT.since(text(from));
  return to === undefined ? TEXT.total : TEXT.until(text(to));
}
