import { Cron } from 'croner';

/** `CRON_TZ=Europe/Berlin 0 8 * * 1-5`: the time zone that the pattern is in. */
const ZONED = /^CRON_TZ=(\S+)\s+(.+)$/;

/** A pattern of five fields, or six with seconds first, in UTC or in the time zone that `CRON_TZ=` before it names. Throws for an invalid one. */
export function cronOf(pattern: string): Cron {
  const [, timezone = 'UTC', fields = pattern] = ZONED.exec(pattern.trim()) ?? [];
  if (!isTimeZone(timezone))
    throw new TypeError(`there is no time zone "${timezone}": use a name such as Europe/Berlin`);
  return new Cron(fields, { timezone });
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
