import { locale, numberText, shareText } from '../../language/numbers.ts';
import { once } from '../../language/once.ts';
import { counted } from '../../parts/counted.ts';

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const;
const rounded = once(() => new Intl.NumberFormat(locale(), { maximumFractionDigits: 1, useGrouping: false }));
const grouped = once(() => new Intl.NumberFormat(locale(), { maximumFractionDigits: 1 }));
const compact = once(() => new Intl.NumberFormat(locale(), { maximumFractionDigits: 1, notation: 'compact' }));

/** Formats bytes in the largest fitting unit: `2.5 MiB`, `125 MiB`. */
export function bytesText(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), UNITS.length - 1);
  const value = bytes / 1_024 ** power;
  return `${value < 10 ? round(value) : Math.round(value)} ${UNITS[power]}`;
}

/** Formats milliseconds in the largest fitting unit: `3.3 ms`, `2 s`, `3 min`, `5 h`. */
export function millisText(ms: number): string {
  if (ms < 1_000) return `${round(ms)} ms`;
  if (ms < 120_000) return `${round(ms / 1_000)} s`;
  if (ms < 7_200_000) return `${round(ms / 60_000)} min`;
  return `${round(ms / 3_600_000)} h`;
}

export function percentText(percent: number): string {
  return shareText(percent / 100, 1);
}

/** Formats a rate per second: `0.02/s`, `12/s`. */
export function rateText(perSecond: number): string {
  return `${numberText(Number(perSecond.toPrecision(2)))}/s`;
}

export function countText(count: number): string {
  return count < 10_000 ? grouped().format(count) : compact().format(count);
}

/** Formats a number with its noun: `1 event`, `12.3K events`. */
export function countedText(count: number, noun: string, plural = `${noun}s`): string {
  return counted(count, noun, plural, countText);
}

function round(value: number): string {
  return rounded().format(value);
}
