/** Formats a time for people: `2026-03-01 12:00:00 UTC`, optionally with milliseconds. Expects RFC 3339 in UTC. */
export function timeText(rfc3339: string, precision: 's' | 'ms' = 's'): string {
  const [, date, clock, fraction = ''] = /^(\S+)T(\d\d:\d\d:\d\d)(?:\.(\d+))?Z$/.exec(rfc3339) ?? [];
  if (date === undefined) return rfc3339;
  return `${date} ${clock}${precision === 'ms' ? `.${fraction.padEnd(3, '0').slice(0, 3)}` : ''} UTC`;
}

/** Converts a value of the API to a label: `in_progress` becomes `In progress`. */
export function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1).replaceAll('_', ' ');
}
