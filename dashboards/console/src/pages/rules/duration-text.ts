const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
] as const;

/** Formats seconds as a duration: `6 h`, `1 d 12 h`. Undefined for less than a minute. */
export function durationText(seconds: number): string | undefined {
  if (!Number.isFinite(seconds) || seconds < 60) return undefined;
  let left = Math.round(seconds);
  const parts: string[] = [];
  for (const [unit, length] of UNITS) {
    const count = Math.floor(left / length);
    if (count > 0) parts.push(`${count} ${unit}`);
    left -= count * length;
  }
  if (left > 0) parts.push(`${left} s`);
  return parts.join(' ');
}
