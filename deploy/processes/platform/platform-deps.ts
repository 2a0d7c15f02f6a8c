import { getDetections } from '#analytics/clickhouse/read-models/detections.ts';
import { createAccounts } from '#api/accounts/accounts.ts';
import { createAccountAnnouncements } from '#api/accounts/admin/announce-change.ts';
import { createQuotaChange } from '#api/accounts/admin/change-quota.ts';
import { createUserAdministration } from '#api/accounts/admin/change-user.ts';
import { createUserCreation } from '#api/accounts/admin/create-user.ts';
import { createPasswordLinks } from '#api/accounts/admin/password-link.ts';
import { createSendPasswordLink } from '#api/accounts/admin/send-password-link.ts';
import { createKeyIssue } from '#api/accounts/keys/issue-key.ts';
import { createKeyRevocation } from '#api/accounts/keys/revoke-key.ts';
import { createKeyUpdates } from '#api/accounts/keys/rotate-key.ts';
import { hasMailServer } from '#api/accounts/mail/mail-config.ts';
import { createOneTimeCodes } from '#api/accounts/passwords/one-time-code.ts';
import { createSecondFactors } from '#api/accounts/second-factor/second-factors.ts';
import { createBackground } from '#api/accounts/sign-in/background.ts';
import { createSignInLimits } from '#api/accounts/sign-in/sign-in-limits.ts';
import type { AppDeps } from '#api/app.ts';
import { createChangeRecord } from '#api/audit/record-change.ts';
import { titleOfDetection } from '#api/cases/case-title.ts';
import { watchDetections } from '#api/detections/tail/watch-detections.ts';
import { detectorsDeps } from '#api/detectors/detectors-deps.ts';
import { createSeal } from '#api/executions/secrets/seal.ts';
import { createJobQueue } from '#api/jobs/queue.ts';
import { createSystemSamples } from '#api/telemetry/dashboard/system-samples.ts';
import { createFeedSockets } from '#api/telemetry/live-feed/feed-sockets.ts';
import { detectionMessage } from '#api/telemetry/live-feed/messages.ts';
import { createStatus } from '#api/telemetry/status/status.ts';
import { createCountView } from '#api/telemetry/views/count-view.ts';
import type { AccessPart } from './access-part.ts';
import { casesDeps } from './cases-part.ts';
import { type ExecutionsPart, startExecutionRoutes } from './executions-part.ts';
import { startFederation } from './federation-part.ts';
import type { Foundation } from './foundation.ts';

import { leakedKeyDeps } from './leaked-keys-part.ts';
import type { OutboundPart } from './outbound-part.ts';
import { outputAdministration } from './outputs-part.ts';
import { startReadReplica } from './read-replica-part.ts';
import { resourcesOfExecution } from './resources-of-execution.ts';
import { statusSources } from './status-part.ts';

/** Parts that exist once per process, whatever its roles. */
export interface PlatformParts {
  readonly access: AccessPart;
  readonly outbound: OutboundPart;
  readonly executions: ExecutionsPart;
}

/** Dependencies of the platform's subjects. Every process that serves the platform serves all subjects. */
export type SubjectDeps = Pick<
  AppDeps,
  | 'accounts'
  | 'scim'
  | 'keyRestrictions'
  | 'detectors'
  | 'audit'
  | 'telemetry'
  | 'scrapers'
  | 'executions'
  | 'workflows'
  | 'triggers'
  | 'agents'
  | 'outputs'
  | 'cases'
  | 'mcp'
  | 'recordChange'
  | 'writes'
>;

/**
 * Starts the dependencies of the platform routes.
 * Long: each subject is started once, in the order of its dependencies.
 */
export async function startPlatformDeps(
  foundation: Foundation,
  { access, outbound, executions }: PlatformParts,
  /** Returns the public URL without a trailing slash. Final only when the server is listening. */
  publicUrl: () => string,
): Promise<SubjectDeps> {
  const { config, lifecycle, log, registry, clickhouse, database, shared, secrets, audit, report, feed } = foundation;
  const { sessions, keyChanges, keyMaking, hasher } = access;
  const { platform } = config;
  const secret = secrets.auth[0];
  const { registration } = platform.registration;

  const background = await lifecycle.start('background work', () => {
    const onFailure = (err: unknown) => log.warn({ err }, 'work after an answer failed');
    const value = createBackground({ onFailure });
    return { value, stop: () => value.settled() };
  });
  const jobs = createJobQueue({ database, logger: log });
  const limits = createSignInLimits(
    { shared },
    { secret, limits: platform.limits.signIn, failedAccounts: platform.limits.failedAccounts },
  );
  const mailServer = hasMailServer(platform.mail);
  const secondFactors = createSecondFactors(
    { database, hasher, sessions, audit, report, background, shared, jobs, limits, seal: createSeal(secrets.auth) },
    {
      policy: platform.secondFactor,
      tries: platform.limits.secondFactorTries,
      accountLock: platform.limits.accountLock,
      mailServer,
      publicUrl,
    },
  );
  const { openSignIn } = secondFactors;
  const announcements = createAccountAnnouncements({ channels: shared.channels, keyChanges });
  const { providerSignOut, ...federation } = await startFederation(foundation, access, {
    announcements,
    openSignIn,
    publicUrl,
  });
  const accounts = createAccounts(
    {
      database,
      hasher,
      sessions,
      audit,
      report,
      background,
      channels: shared.channels,
      jobs,
      limits,
      codes: createOneTimeCodes({ secrets: secrets.auth }),
      setUpSecrets: secrets.auth,
      openSignIn,
      providerSignOut,
      ...keyMaking,
    },
    {
      registration,
      accountLock: platform.limits.accountLock,
      codeTries: platform.limits.codeTries,
      confirmsByMail: mailServer,
    },
  );
  const sockets = createFeedSockets({
    feed,
    channels: shared.channels,
    registry,
    alsoWatch: (publish) =>
      watchDetections({ clickhouse, logger: log }, (detection) => publish(detectionMessage(detection, new Date()))),
  });
  const samples = await lifecycle.start('samples of the process', () => {
    const value = createSystemSamples();
    return { value, stop: async () => value.close() };
  });
  const { readLists, writes } = await startReadReplica(foundation);
  const changeUser = createUserAdministration({ database, audit, announcements });
  const revokeKey = createKeyRevocation({ database, audit, changes: keyChanges });
  return {
    accounts: {
      database,
      accounts,
      ...federation,
      registration,
      sessionCookie: access.cookie,
      issueKey: createKeyIssue({ database, audit, ...keyMaking }),
      revokeKey,
      ...createKeyUpdates({ database, audit, hasher: access.keyHasher, changes: keyChanges }, platform.keys),
      createUser: createUserCreation({ database, audit, hasher }),
      createPasswordLink: createPasswordLinks({ database, audit, publicUrl }),
      sendPasswordLink: createSendPasswordLink({ database, jobs, audit, limits }, { mailServer }),
      mailServer,
      changeUser,
      changeQuota: createQuotaChange({ database, audit }),
      secondFactors,
      ...leakedKeyDeps(foundation, access, outbound),
    },
    scim: { database, audit, changeUser, roles: new Map(platform.scimRoles), logger: log, publicUrl },
    keyRestrictions: {
      shared,
      usage: access.keyUsage,
      resourcesOfExecution: (id) => resourcesOfExecution(database, id),
    },
    detectors: detectorsDeps({ database, audit, ...keyMaking, revokeKey }),
    audit: {
      database,
      readLists,
      readDetectionNames: async (ids) =>
        (await getDetections(clickhouse, ids)).map((one) => ({ id: one.id, name: titleOfDetection(one) })),
    },
    telemetry: {
      clickhouse,
      database,
      samples,
      countView: createCountView({ database, shared }, { secret }),
      readStatus: createStatus(statusSources(foundation)),
      sockets,
      sessionCookie: access.cookie,
      authenticateSession: sessions.authenticate,
      allowedOrigins: platform.allowedOrigins,
    },
    scrapers: { pipeline: outbound.scraperPipeline, dataDir: config.dataDir },
    ...(await startExecutionRoutes(foundation, executions, outbound.fetch, readLists)),
    outputs: { database, outputs: await outputAdministration(foundation, outbound) },
    cases: casesDeps(foundation, executions.contents, publicUrl),
    mcp: { allowedOrigins: platform.allowedOrigins },
    recordChange: createChangeRecord({ database, audit }),
    writes,
  };
}
