import type { JsonValue } from '../../json-value.ts';
import { isObject } from './json.ts';

const UNITS: Readonly<Record<string, number>> = {
  days: 86_400_000,
  hours: 3_600_000,
  minutes: 60_000,
  seconds: 1_000,
  milliseconds: 1,
};
const ISO =
  /^P(?:(\d+(?:\.\d+)?)W)?(?:(\d+(?:\.\d+)?)D)?(?:T(?:(\d+(?:\.\d+)?)H)?(?:(\d+(?:\.\d+)?)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;
const ISO_UNITS = [604_800_000, 86_400_000, 3_600_000, 60_000, 1_000];
/** Maximum duration, 100 years. A longer one is a mistake, and its end may exceed the range of dates. */
const MAX_MS = 36_525 * 86_400_000;

/**
 * Parses an inline or ISO 8601 duration into milliseconds. Returns undefined for other text. Years and months are
 * rejected because their length depends on the date.
 */
export function durationMs(value: JsonValue | undefined): number | undefined {
  const ms = typeof value === 'string' ? isoMs(value) : isObject(value) ? inlineMs(value) : undefined;
  return ms === undefined || ms > MAX_MS ? undefined : Math.round(ms);
}

function isoMs(text: string): number | undefined {
  const match = ISO.exec(text);
  if (match === null || text === 'P' || text.endsWith('T')) return undefined;
  return ISO_UNITS.reduce((sum, unit, index) => sum + Number(match[index + 1] ?? 0) * unit, 0);
}

function inlineMs(duration: { readonly [name: string]: JsonValue }): number | undefined {
  let sum = 0;
  for (const [unit, amount] of Object.entries(duration)) {
    const factor = Object.hasOwn(UNITS, unit) ? UNITS[unit] : undefined;
    if (factor === undefined || typeof amount !== 'number' || !(amount >= 0)) return undefined;
    sum += amount * factor;
  }
  return sum;
}

/** Returns the time `ms` milliseconds after `at`, as ISO 8601 in UTC. */
export const later = (at: string, ms: number): string => new Date(Date.parse(at) + ms).toISOString();
