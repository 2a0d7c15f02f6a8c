import type { JobQueue } from '#api/jobs/port.ts';
import type { Database } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import { MAIL_QUEUE, type MailRequest } from '../mail/mail-request.ts';
import { takeKeysToWarn } from '../tables/api-keys.ts';
import { WARNING_DAYS } from './expiry-policy.ts';

/** Mails the owners of keys that expire within a week, once per expiry date. Resolves to the number of queued mails. */
export async function warnOfExpiry(deps: {
  readonly database: Database;
  readonly jobs: Pick<JobQueue, 'add'>;
}): Promise<number> {
  return inTransaction(deps.database, async (transaction) => {
    const keys = await takeKeysToWarn(transaction, WARNING_DAYS);
    for (const { userId, email, label, keyId, expiresAt } of keys) {
      const payload: MailRequest = {
        kind: 'key-expiry',
        email,
        userId,
        key: { keyId, label, expiresAt: expiresAt.toISOString() },
        origin: { ip: '', userAgent: '', requestId: '' },
      };
      await deps.jobs.add(transaction, { queue: MAIL_QUEUE, payload });
    }
    return keys.length;
  });
}
