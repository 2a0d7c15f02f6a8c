import { oneLine } from '#schemas/json/one-line.ts';

/** Returns an event's received JSON text on one line. */
export function rawLine(raw: string | Buffer): string {
  return oneLine(typeof raw === 'string' ? raw : raw.toString('utf8'));
}
