/** A time as people read it: `2026-03-01 12:00:00 UTC`; with milliseconds where they matter. RFC 3339 in UTC is expected. */
export function timeText(rfc3339: string, precision: 's' | 'ms' = 's'): string {
  const [, date, clock, fraction = ''] = /^(\S+)T(\d\d:\d\d:\d\d)(?:\.(\d+))?Z$/.exec(rfc3339) ?? [];
  if (date === undefined) return rfc3339;
  return `${date} ${clock}${precision === 'ms' ? `.${fraction.padEnd(3, '0').slice(0, 3)}` : ''} UTC`;
}

/** A word of the API as a label: `in_progress` is `In progress`. */
export function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1).replaceAll('_', ' ');
}
