import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { setQuotaDefaults } from '#api/accounts/tables/quotas.ts';
import { createAudit } from '#api/audit/audit.ts';
import type { Audit } from '#api/audit/port.ts';
import { startDetectionOutput } from '#api/detections/tail/detection-output.ts';
import type { ReportSecurityEvent } from '#api/http/security-events.ts';
import type { IsolationGate } from '#api/leases/isolation.ts';
import type { Database } from '#api/postgres/database.ts';
import type { SharedState } from '#api/shared-state/port.ts';
import { createLiveFeed, type LiveFeed } from '#api/telemetry/live-feed/live-feed.ts';
import { securityMessage } from '#api/telemetry/live-feed/messages.ts';
import { createSecurityReporter } from '#api/telemetry/siem/security-reporter.ts';
import { type OpenSiem, openSiem } from '#api/telemetry/siem/siem.ts';
import { SiemFileNotWritable } from '#api/telemetry/siem/siem-file.ts';
import type { Detection } from '#schemas/detection.ts';
import type { Tracing } from '#schemas/tracing/tracing.ts';
import { usageError } from '../../cli/command-error.ts';
import type { Config } from '../../config.ts';
import { type PlatformSecrets, platformSecrets } from '../../platform-secrets.ts';
import { requireSharedSecrets } from '../../shared-secrets.ts';
import { startClickHouse } from '../clickhouse-part.ts';
import type { Lifecycle } from '../lifecycle.ts';
import { startPostgres } from '../postgres-part.ts';
import { startSharedState } from '../shared-state-part.ts';

/** Parts of every platform process: its stores, log, metrics and audit. */
export interface Foundation {
  readonly config: Config;
  readonly lifecycle: Lifecycle;
  readonly log: Logger;
  readonly registry: Registry;
  readonly tracing: Tracing;
  readonly clickhouse: ClickHouse;
  readonly database: Database;
  /** URL of PostgreSQL itself, not of a pooler, for LISTEN. */
  readonly databaseUrl: string;
  readonly shared: SharedState;
  readonly secrets: PlatformSecrets;
  readonly siem: OpenSiem;
  readonly feed: LiveFeed;
  readonly audit: Audit;
  readonly report: ReportSecurityEvent;
  readonly failed: (error: unknown) => void;
  /** Gate of the workers of this process. */
  readonly isolationGate: IsolationGate;
}

export type FoundationDeps = Pick<Foundation, 'config' | 'lifecycle' | 'log' | 'registry' | 'tracing' | 'failed'>;

/**
 * Opens the stores and the outputs of logs and audit. Rejects if the SIEM file is not writable, because a configured
 * audit trail is mandatory.
 */
export async function startFoundation(deps: FoundationDeps): Promise<Foundation> {
  const { config, lifecycle, log, registry, failed } = deps;
  const { siemPath } = config.platform;
  const siem = await lifecycle.start('SIEM file', async () => {
    const file = siemPath === undefined ? undefined : { path: siemPath };
    const value = await openSiem({ registry, logger: log }, file).catch((error: unknown) => {
      throw error instanceof SiemFileNotWritable ? usageError(`SIEM_AUDIT_PATH: ${error.message}`) : error;
    });
    return { value, stop: () => value.close() };
  });
  // Concurrently, because at a first start each embedded engine takes seconds.
  const [clickhouse, { database, url: databaseUrl }] = await Promise.all([
    startClickHouse(config, lifecycle, log, failed),
    startPostgres(config, lifecycle, log, failed),
  ]);
  await setQuotaDefaults(database, config.platform.quotas.defaults, config.platform.quotas);
  const secrets = await platformSecrets(config);
  if (config.postgres.url !== undefined) await requireSharedSecrets(config, database, secrets);
  const shared = await startSharedState(config, lifecycle, log);
  const feed = await lifecycle.start('live feed', async () => {
    const value = await createLiveFeed({ channels: shared.channels });
    return { value, stop: () => value.close() };
  });
  const reporter = await lifecycle.start('security reporter', () => {
    const value = createSecurityReporter({
      registry,
      onIncident(incident) {
        siem.security(incident);
        feed.publish(securityMessage(incident));
      },
    });
    return { value, stop: async () => value.close() };
  });
  if (siemPath !== undefined) {
    await lifecycle.start('detections to the SIEM file', () => {
      const deliver = (detections: readonly Detection[]) => detections.forEach(siem.detection);
      const value = startDetectionOutput({ clickhouse, database, logger: log, deliver }, { name: 'siem' });
      return { value, stop: () => value.stop() };
    });
  }
  const audit = createAudit({ onCommitted: siem.audit });
  const isolationGate: IsolationGate = { holder: undefined, busy: new Map() };
  const { report } = reporter;
  return { ...deps, clickhouse, database, databaseUrl, shared, secrets, siem, feed, audit, report, isolationGate };
}
