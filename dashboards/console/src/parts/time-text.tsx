import { Tooltip } from '@mantine/core';

const FORMAT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;
const AGO = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });

/** A time in the reader's own zone; the exact one (RFC 3339, all digits) in the tooltip and for programs. */
export function TimeText({ at, ago = false }: { readonly at: string; readonly ago?: boolean }) {
  const date = new Date(at);
  const text = Number.isNaN(date.getTime()) ? at : ago ? agoText(date) : FORMAT.format(date);
  return (
    <Tooltip label={at} events={{ hover: true, focus: true, touch: true }}>
      <time dateTime={at}>{text}</time>
    </Tooltip>
  );
}

export function agoText(date: Date, now = Date.now()): string {
  const seconds = Math.round((date.getTime() - now) / 1_000);
  for (const [unit, length] of UNITS)
    if (Math.abs(seconds) >= length) return AGO.format(Math.round(seconds / length), unit);
  return AGO.format(seconds, 'second');
}
