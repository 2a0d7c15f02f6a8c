import { numberText } from '../language/numbers.ts';

/** Formats a count with its noun: `1 event`, `2,000 events`. `format` formats the number. */
export function counted(
  count: number,
  noun: string,
  plural = `${noun}s`,
  format: (number: number) => string = numberText,
): string {
  return `${format(count)} ${count === 1 ? noun : plural}`;
}
