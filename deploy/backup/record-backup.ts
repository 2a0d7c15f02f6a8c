import { randomUUID } from 'node:crypto';
import { createAudit } from '#api/audit/audit.ts';
import { createDatabase } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';

export interface CompletedBackup {
  readonly folder: string;
  /** Where ClickHouse servers wrote their part. */
  readonly destination: string | undefined;
}

/**
 * Records a complete backup in the audit log, where metrics and `trapline doctor` find its time. The backup itself does
 * not contain the entry.
 */
export async function recordBackup(postgresUrl: string, { folder, destination }: CompletedBackup): Promise<void> {
  const database = createDatabase({ url: postgresUrl, connections: 1, statementTimeoutMs: 10_000 });
  try {
    await inTransaction(database, (transaction) =>
      createAudit().record(transaction, {
        actor: 'operator',
        target: 'backup',
        action: 'backup.create',
        diff: {
          folder: { after: folder },
          ...(destination === undefined ? {} : { destination: { after: destination } }),
        },
        origin: { ip: '127.0.0.1', userAgent: 'trapline', requestId: randomUUID() },
      }),
    );
  } finally {
    await database.destroy();
  }
}
