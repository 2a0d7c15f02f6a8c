import { createLeakReports } from '#api/accounts/keys/leaks/leak-reports.ts';
import { createScannerKeys } from '#api/accounts/keys/leaks/scanner-keys.ts';
import { hasMailServer } from '#api/accounts/mail/mail-config.ts';
import type { LeakedKeyRouteDeps } from '#api/accounts/routes/leaked-keys.ts';
import { createJobQueue } from '#api/jobs/queue.ts';
import { OutboundFailure } from '#api/outbound/port.ts';
import type { AccessPart } from './access-part.ts';
import type { Foundation } from './foundation.ts';
import type { OutboundPart } from './outbound-part.ts';

const MAX_LIST_BYTES = 2 ** 20;

/**
 * Dependencies for reports of secret scanners; empty if they are off. The public keys of the scanner are fetched
 * through the outbound guard.
 */
export function leakedKeyDeps(
  { config, log, database, audit }: Foundation,
  { keyChanges, keyHasher }: AccessPart,
  { fetch }: OutboundPart,
): LeakedKeyRouteDeps {
  const { policy, scannerKeysUrl } = config.platform.leakedKeys;
  if (policy === 'off') return {};
  const mailServer = hasMailServer(config.platform.mail);
  const jobs = createJobQueue({ database, logger: log });
  const report = createLeakReports(
    { database, audit, jobs, changes: keyChanges, hasher: keyHasher },
    { policy, mailServer },
  );
  async function fetchList(): Promise<string | undefined> {
    try {
      const { status, body } = await fetch({
        url: scannerKeysUrl,
        headers: { accept: 'application/json' },
        maxBytes: MAX_LIST_BYTES,
      });
      if (status === 200) return body.toString('utf8');
      log.warn({ status }, 'cannot fetch the keys of the secret scanner');
    } catch (error) {
      if (!(error instanceof OutboundFailure)) throw error;
      log.warn({ reason: error.reason }, 'cannot fetch the keys of the secret scanner');
    }
    return undefined;
  }
  return { leaks: { report, scannerKeys: createScannerKeys({ fetchList }) } };
}
