import { createHash } from 'node:crypto';
import type { Audit } from '#api/audit/port.ts';
import type { RequestOrigin } from '#api/http/request-origin.ts';
import type { JobQueue } from '#api/jobs/port.ts';
import type { Database, Db } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import { MAIL_QUEUE, type MailRequest } from '../../mail/mail-request.ts';
import type { Hasher } from '../../passwords/hasher.ts';
import { endPreviousSecret, findKeySecrets, markKeyLeaked, setApiKeyRevoked } from '../../tables/api-keys.ts';
import { findUser } from '../../tables/users.ts';
import type { KeyChanges } from '../key-changes.ts';
import { parseKey } from '../key-format.ts';

/** A token that a scanner found in public. */
export interface FoundToken {
  readonly token: string;
  readonly type: string;
  readonly url?: string | undefined;
}

/** A leaked secret of a key. */
interface Leak {
  readonly keyId: string;
  /** Hash of the leaked secret if a rotation has replaced it. */
  readonly replacedHash: string | undefined;
  readonly url: string | undefined;
}

/** Response to the scanner for one token. */
export interface FoundTokenAnswer {
  /** SHA-256 of the token, base64. */
  readonly tokenHash: string;
  readonly type: string;
  /** True if it is a key of this installation. */
  readonly genuine: boolean;
}

/** `revoke`: a leaked key is revoked. `mark`: it is marked, and its owner decides. */
export type LeakPolicy = 'revoke' | 'mark';

/** Handles reported tokens. The caller must have verified the signature of the scanner. */
export type ReportLeaks = (found: readonly FoundToken[], origin: RequestOrigin) => Promise<readonly FoundTokenAnswer[]>;

export interface LeakDeps {
  readonly database: Database;
  readonly audit: Audit;
  readonly jobs: Pick<JobQueue, 'add'>;
  readonly changes: Pick<KeyChanges, 'announce'>;
  readonly hasher: Pick<Hasher, 'verify'>;
}

/**
 * Creates the handler of leak reports. It revokes or marks a leaked key, with an audit entry and a mail to its owner,
 * once. If only the secret before a rotation leaked, it ends just the overlap, because the new secret is not public.
 */
export function createLeakReports(
  { database, audit, jobs, changes, hasher }: LeakDeps,
  { policy, mailServer }: { readonly policy: LeakPolicy; readonly mailServer: boolean },
): ReportLeaks {
  /** True if the token is the secret of a key, even of a revoked or expired one. */
  async function handle({ token, url }: FoundToken, origin: RequestOrigin): Promise<boolean> {
    const parts = parseKey(token);
    const key = parts && (await findKeySecrets(database, parts.keyId));
    if (parts === undefined || key === undefined) return false;
    if (await hasher.verify(parts.secret, key.secretHash)) {
      await act({ keyId: parts.keyId, replacedHash: undefined, url }, origin);
      return true;
    }
    if (key.previousHash === null || !(await hasher.verify(parts.secret, key.previousHash))) return false;
    if (key.previousValid) await act({ keyId: parts.keyId, replacedHash: key.previousHash, url }, origin);
    return true;
  }

  /** Applies the policy. False if it was already applied. */
  async function apply(transaction: Db, { keyId, replacedHash }: Leak): Promise<boolean> {
    if (policy === 'mark') return markKeyLeaked(transaction, keyId);
    if (replacedHash !== undefined) return endPreviousSecret(transaction, keyId, replacedHash);
    const first = await markKeyLeaked(transaction, keyId);
    const revoked = await setApiKeyRevoked(transaction, keyId, undefined);
    // A key that was only marked, under an earlier policy, is revoked now.
    return first || revoked?.before === null;
  }

  async function act(leak: Leak, origin: RequestOrigin): Promise<void> {
    const { keyId, url } = leak;
    const ended = policy === 'revoke';
    const replaced = ended && leak.replacedHash !== undefined;
    await inTransaction(database, async (transaction) => {
      if (!(await apply(transaction, leak))) return;
      const { userId, hostname, label } = (await findKeySecrets(transaction, keyId)) ?? {};
      await audit.record(transaction, {
        actor: 'system',
        target: `key:${keyId}`,
        action: 'key.leak',
        diff: {
          owner: { after: userId == null ? `detector:${hostname}` : `user:${userId}` },
          url: { after: url ?? null },
          revoked: { after: ended && !replaced },
          ...(replaced ? { overlapEnded: { after: true } } : {}),
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
        key: { keyId, label: label ?? '', revoked: ended && !replaced, replaced, url },
        origin: { ip, userAgent, requestId },
      };
      await jobs.add(transaction, { queue: MAIL_QUEUE, payload, requestId });
    });
    await changes.announce({ keyId });
  }

  return async (found, origin) => {
    const answers: FoundTokenAnswer[] = [];
    // Sequentially, because each token of the right format costs a slow hash.
    for (const one of found)
      answers.push({
        tokenHash: createHash('sha256').update(one.token).digest('base64'),
        type: one.type,
        genuine: await handle(one, origin),
      });
    return answers;
  };
}
