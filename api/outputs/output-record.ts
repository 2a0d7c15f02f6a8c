import type { z } from 'zod';
import { namesInAudit } from '#api/audit/tables/audit-names.ts';
import { entityTag } from '#api/http/responses/entity-tag.ts';
import type { Database } from '#api/postgres/database.ts';
import type { deadLetterOfOutputSchema, deliveriesSchema, outputSchema } from '#schemas/api/outputs.ts';
import type { OutputDeadLetter } from './tables/output-dead-letters.ts';
import type { OutputRow } from './tables/outputs.ts';

/**
 * Returns outputs for the API, with the present names of their creators and with the names of secrets, but no secret
 * values.
 */
export async function outputRecords(
  database: Database,
  rows: readonly OutputRow[],
): Promise<z.input<typeof outputSchema>[]> {
  const names = await namesInAudit(
    database,
    rows.map(({ createdBy }) => ({ actor: createdBy, target: '' })),
  );
  return rows.map((row) => outputRecord(row, names.get(row.createdBy) ?? null));
}

function outputRecord(row: OutputRow, createdByName: string | null): z.input<typeof outputSchema> {
  const { id, version, name, type, enabled, settings, filter, secretNames, createdAt, createdBy, updatedAt } = row;
  return {
    id,
    etag: entityTag(version),
    name,
    type,
    enabled,
    settings,
    filter,
    secrets: secretNames,
    createdAt: createdAt.toISOString(),
    createdBy,
    createdByName,
    updatedAt: updatedAt.toISOString(),
  };
}

/** Returns the progress of an output, without its dead letters. */
export function progressRecord(
  row: OutputRow,
  lag: { readonly messages: number; readonly oldestAt: Date | null },
  now: Date,
): Omit<z.input<typeof deliveriesSchema>, 'deadLetters'> {
  const { enabled, delivered, lastDeliveredAt, attempts, nextAt, leaseUntil, lastError, lastErrorAt } = row;
  const delivering = leaseUntil !== null && leaseUntil > now;
  const retrying = enabled && attempts > 0;
  return {
    state: !enabled ? 'paused' : retrying ? 'retrying' : delivering ? 'delivering' : 'idle',
    lag: { messages: lag.messages, oldestAt: lag.oldestAt?.toISOString() ?? null },
    delivered,
    lastDeliveredAt: lastDeliveredAt?.toISOString() ?? null,
    attempts,
    nextAttemptAt: retrying ? nextAt.toISOString() : null,
    lastError:
      lastError === null || lastErrorAt === null ? null : { at: lastErrorAt.toISOString(), message: lastError },
  };
}

export function outputDeadLetterRecord(letter: OutputDeadLetter): z.input<typeof deadLetterOfOutputSchema> {
  const { id, detectionId, revision, cause, reason, state, at } = letter;
  return { id, detection: detectionId, revision, cause, reason, state, at: at.toISOString() };
}
