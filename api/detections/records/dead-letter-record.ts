import type { StoredDeadLetter } from '#analytics/clickhouse/read-models/dead-letters.ts';
import type { DeadLetterRecord } from '#analytics/formats/record.ts';

/** A kept refusal as the formats take it. */
export function deadLetterRecord(letter: StoredDeadLetter): DeadLetterRecord {
  const { identity, received, code, path, message, raw, redriven } = letter;
  return { identity, received: Date.parse(received), code, path, message, raw, redriven };
}
