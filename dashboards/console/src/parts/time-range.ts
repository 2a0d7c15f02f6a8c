import { momentText } from './time-words.ts';

/** Stretches of time that are chosen by a word, up to now. */
export const RANGES = {
  '1h': 'Last hour',
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  '365d': 'Last year',
} as const;
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

/** A stretch of time as it stands in an address: one of the words, or either end, RFC 3339. Neither: all time. */
export interface TimeRange {
  readonly range?: RangeName | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** The ends that the API is asked for. A word begins on a whole minute, so that what is asked twice in a minute is the same question. */
export function endsOf(
  { range, from, to }: TimeRange,
  nowMs: number,
): { readonly from?: string; readonly to?: string } {
  if (range !== undefined)
    return { from: new Date(Math.floor((nowMs - RANGE_MS[range]) / 60_000) * 60_000).toISOString() };
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}

/** What a counting call takes, which needs a beginning: that of the range, or a year before its end. */
export function countedEnds(time: TimeRange, otherwise: RangeName, nowMs: number) {
  const { from, to } = endsOf(time, nowMs);
  if (from !== undefined) return { from, ...(to === undefined ? {} : { to }) };
  return {
    ...endsOf({ range: otherwise }, to === undefined ? nowMs : Date.parse(to)),
    ...(to === undefined ? {} : { to }),
  };
}

/** A time that an address may hold, as RFC 3339 in UTC; undefined for what is none. */
export function timeParam(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const ms = Date.parse(value);
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}

/** Phrase for the end of a sentence: `in the last hour`, `since 1 Mar 2026, 09:05:07`. */
export function rangeText({ range, from, to }: TimeRange): string {
  if (range !== undefined) return `in the ${RANGES[range].toLowerCase()}`;
  const text = (at: string) => momentText(new Date(at));
  if (from !== undefined && to !== undefined) return `from ${text(from)} to ${text(to)}`;
  if (from !== undefined) return `since ${text(from)}`;
  return to === undefined ? 'in total' : `until ${text(to)}`;
}

/** The value of an input of the type `datetime-local`, in the zone of the reader, to the second. */
export function localValue(at: string | undefined): string {
  if (at === undefined) return '';
  const date = new Date(at);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}
