import { createHash } from 'node:crypto';
import type { Audit } from '#api/audit/port.ts';
import type { RequestOrigin } from '#api/http/request-origin.ts';
import type { JobQueue } from '#api/jobs/port.ts';
import type { Database } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import { MAIL_QUEUE, type MailRequest } from '../../mail/mail-request.ts';
import type { Hasher } from '../../passwords/hasher.ts';
import { findKeySecrets, markKeyLeaked, setApiKeyRevoked } from '../../tables/api-keys.ts';
import { findUser } from '../../tables/users.ts';
import type { KeyChanges } from '../key-changes.ts';
import { parseKey } from '../key-format.ts';

/** A text that a scanner found in public. */
export interface FoundToken {
  readonly token: string;
  readonly type: string;
  readonly url?: string | undefined;
}

/** What the scanner is answered for a text. */
export interface FoundTokenAnswer {
  /** SHA-256 of the text, base64. */
  readonly tokenHash: string;
  readonly type: string;
  /** Whether it is a key of this installation. */
  readonly genuine: boolean;
}

/** `revoke`: a key that was found is revoked. `mark`: it is marked, and its owner decides. */
export type LeakPolicy = 'revoke' | 'mark';

/** Handles what a scanner has found. The caller has verified that the scanner sent it. */
export type ReportLeaks = (found: readonly FoundToken[], origin: RequestOrigin) => Promise<readonly FoundTokenAnswer[]>;

export interface LeakDeps {
  readonly database: Database;
  readonly audit: Audit;
  readonly jobs: Pick<JobQueue, 'add'>;
  readonly changes: Pick<KeyChanges, 'announce'>;
  readonly hasher: Pick<Hasher, 'verify'>;
}

/** A key that was found is revoked or marked, with an audit entry and a mail to its owner, once. */
export function createLeakReports(
  { database, audit, jobs, changes, hasher }: LeakDeps,
  { policy, mailServer }: { readonly policy: LeakPolicy; readonly mailServer: boolean },
): ReportLeaks {
  /** True when the text is the secret of a key, also of one that is revoked or has expired. */
  async function handle({ token, url }: FoundToken, origin: RequestOrigin): Promise<boolean> {
    const parts = parseKey(token);
    const key = parts && (await findKeySecrets(database, parts.keyId));
    if (parts === undefined || key === undefined) return false;
    const hashes = [key.secretHash, ...(key.previousHash === null ? [] : [key.previousHash])];
    let genuine = false;
    for (const hash of hashes) genuine ||= await hasher.verify(parts.secret, hash);
    if (genuine) await act(parts.keyId, url, origin);
    return genuine;
  }

  async function act(keyId: string, url: string | undefined, origin: RequestOrigin): Promise<void> {
    await inTransaction(database, async (transaction) => {
      const first = await markKeyLeaked(transaction, keyId);
      if (!first) return;
      const key = policy === 'revoke' ? await setApiKeyRevoked(transaction, keyId, undefined) : undefined;
      const { userId, hostname, label } = key ?? (await findKeySecrets(transaction, keyId)) ?? {};
      await audit.record(transaction, {
        actor: 'system',
        target: `key:${keyId}`,
        action: 'key.leak',
        diff: {
          owner: { after: userId == null ? `detector:${hostname}` : `user:${userId}` },
          url: { after: url ?? null },
          revoked: { after: policy === 'revoke' },
        },
        origin,
      });
      const owner = userId == null || !mailServer ? undefined : await findUser(transaction, userId);
      if (owner === undefined) return;
      const { ip, userAgent, requestId } = origin;
      const payload: MailRequest = {
        kind: 'key-leak',
        email: owner.email,
        userId: owner.id,
        key: { keyId, label: label ?? '', revoked: policy === 'revoke', url },
        origin: { ip, userAgent, requestId },
      };
      await jobs.add(transaction, { queue: MAIL_QUEUE, payload, requestId });
    });
    await changes.announce({ keyId });
  }

  return async (found, origin) => {
    const answers: FoundTokenAnswer[] = [];
    // One after the other: each text of the right shape costs a slow hash.
    for (const one of found)
      answers.push({
        tokenHash: createHash('sha256').update(one.token).digest('base64'),
        type: one.type,
        genuine: await handle(one, origin),
      });
    return answers;
  };
}
