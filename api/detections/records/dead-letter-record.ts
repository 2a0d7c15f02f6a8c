import type { StoredDeadLetter } from '#analytics/clickhouse/read-models/dead-letters.ts';
import type { DeadLetterRecord } from '#analytics/formats/record.ts';

/** Converts a stored dead letter into a record for the formats. */
export function deadLetterRecord(letter: StoredDeadLetter): DeadLetterRecord {
  const { identity, received, code, path, message, raw, redriven } = letter;
  return { identity, received: Date.parse(received), code, path, message, raw, redriven };
}
