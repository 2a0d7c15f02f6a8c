import { Cron } from 'croner';

/** `CRON_TZ=Europe/Berlin 0 8 * * 1-5`: a pattern with a time zone. */
const ZONED = /^CRON_TZ=(\S+)\s+(.+)$/;

/**
 * Parses a pattern of five fields, or six with seconds first. It is in UTC or in the time zone of the prefix
 * `CRON_TZ=`. Throws for an invalid pattern.
 */
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
