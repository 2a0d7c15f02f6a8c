import { oneLine } from '#schemas/json/one-line.ts';

/** An event's JSON text as it came, on one line. */
export function rawLine(raw: string | Buffer): string {
  return oneLine(typeof raw === 'string' ? raw : raw.toString('utf8'));
}
