import { randomUUID } from 'node:crypto';
import { createAudit } from '#api/audit/audit.ts';
import { createDatabase } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';

/**
 * Records a complete backup in the audit log, where metrics and `trapline doctor` find its time. The backup itself does
 * not contain the entry.
 */
export async function recordBackup(postgresUrl: string, folder: string): Promise<void> {
  const database = createDatabase({ url: postgresUrl, connections: 1, statementTimeoutMs: 10_000 });
  try {
    await inTransaction(database, (transaction) =>
      createAudit().record(transaction, {
        actor: 'operator',
        // Names are kept whole; in the diff, a long path would be redacted.
        target: `backup:${folder}`,
        action: 'backup.create',
        origin: { ip: '127.0.0.1', userAgent: 'trapline', requestId: randomUUID() },
      }),
    );
  } finally {
    await database.destroy();
  }
}
