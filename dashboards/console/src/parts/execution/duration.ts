import { decimalText } from '../../language/numbers.ts';
import { EXECUTION_TEXT } from './text.ts';

/** Formats a duration: `350 ms`, `2.4 s`, `3 min 5 s`, `2 h`. */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1_000;
  if (seconds < 60) return `${decimalText(seconds, seconds < 10 ? 1 : 0)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return withRest(`${minutes} min`, Math.floor(seconds % 60), 's');
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? withRest(`${hours} h`, minutes % 60, 'min') : EXECUTION_TEXT.days(Math.floor(hours / 24));
}

function withRest(text: string, rest: number, unit: string): string {
  return rest === 0 ? text : `${text} ${rest} ${unit}`;
}

export function sizeText(bytes: number): string {
  if (bytes < 1_024) return `${bytes} B`;
  return bytes < 1_024 ** 2 ? `${decimalText(bytes / 1_024, 1)} KiB` : `${decimalText(bytes / 1_024 ** 2, 1)} MiB`;
}
