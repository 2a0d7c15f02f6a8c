import type { AppDeps } from '#api/app.ts';
import type { SettingsWatch } from '#api/detections/settings/settings-watch.ts';
import { startHttpRole } from '../http-role.ts';
import { startAccess } from './access-part.ts';
import { builtConsole } from './built-console.ts';
import { startDetectionService } from './detection-service.ts';
import type { ExecutionsPart } from './executions-part.ts';
import type { Foundation } from './foundation.ts';
import { observeBackups } from './observe-backups.ts';
import { observeDetectors } from './observe-detectors.ts';
import { observeEnrolledDetectors } from './observe-enrolled-detectors.ts';
import { observeExecutionQueue } from './observe-execution-queue.ts';
import { observeWorkerTasks } from './observe-worker-tasks.ts';
import type { OutboundPart } from './outbound-part.ts';
import { startPlatformDeps } from './platform-deps.ts';
import { startRequestSinks } from './request-sinks.ts';
import { type KafkaParts, platformComponents, type StorageParts, storeChecks } from './store-checks.ts';

/** Parts of the server besides the platform: the submission of events, and the state of the process. */
export type ServedParts = Pick<AppDeps, 'submitEvents' | 'redrive' | 'rules' | 'demo' | 'components' | 'own'> & {
  readonly outbound: OutboundPart;
  readonly executions: ExecutionsPart;
  /** Changes of administrators on top of the rules file. */
  readonly ruleSource: SettingsWatch;
} & KafkaParts &
  StorageParts;

/** Serves the platform and the detection service over HTTP. Resolves to the URL. */
export async function startPlatform(
  foundation: Foundation,
  { consumer, brokers, disk, landing, outbound, executions, ruleSource, ...served }: ServedParts,
): Promise<string> {
  const { config, lifecycle, log, registry, clickhouse, database } = foundation;
  observeDetectors(registry, clickhouse);
  observeEnrolledDetectors(registry, database);
  observeExecutionQueue(registry, database);
  observeWorkerTasks(registry, database);
  observeBackups(registry, database);
  const access = await startAccess(foundation);
  let listening = '';
  const subjects = await startPlatformDeps(
    foundation,
    { access, outbound, executions },
    () => config.platform.url ?? listening,
  );
  const changes = await startDetectionService(foundation, { rules: served.rules, ruleSource });
  listening = await startHttpRole(config, lifecycle, {
    ...served,
    changes,
    logger: log,
    registry,
    tracing: foundation.tracing,
    clickhouse,
    guard: access.guard,
    requestSinks: await startRequestSinks(foundation),
    stores: storeChecks(foundation, { consumer, brokers }, { disk, landing }),
    components: { ...served.components, ...platformComponents(foundation) },
    ...subjects,
    console: builtConsole(log),
  });
  return listening;
}
