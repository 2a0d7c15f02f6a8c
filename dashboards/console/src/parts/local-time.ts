/** An RFC 3339 time as a field of type `datetime-local` holds it: the reader's own zone, to the minute. */
export function localTime(at: string | undefined): string {
  const date = new Date(at ?? Number.NaN);
  if (Number.isNaN(date.getTime())) return '';
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}
