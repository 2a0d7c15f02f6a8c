import { createLandingStore } from '#analytics/clickhouse/landing-store.ts';
import { requireCorrectedKafkaClient } from '#ingest/kafka/corrected-client.ts';
import { usageError } from '../cli/command-error.ts';
import type { Config } from '../config.ts';
import { openLogExport, sourceOf } from '../tracing/open-otlp.ts';
import { observeDiskSpace } from './disk-space.ts';
import { type Intake, redriveThrough, startTopicIntake } from './intake.ts';
import { startLocalRole } from './local-role.ts';
import { createLogger } from './logging.ts';
import { observeLanding } from './observe-landing.ts';
import { startExecutions } from './platform/executions-part.ts';
import { startFoundation } from './platform/foundation.ts';
import { logPlatformSettings } from './platform/log-platform-settings.ts';
import { startOutbound } from './platform/outbound-part.ts';
import { startPlatform } from './platform/platform-role.ts';
import { createProcessRegistry } from './process-metrics.ts';
import { observeLanes, observeStores } from './readiness.ts';
import { reportProcess } from './report-process.ts';
import { requireReplicas } from './require-replicas.ts';
import { loadRuleSettings } from './rule-settings.ts';
import { startRuleSource } from './rule-source.ts';
import { runUntilStopped } from './run-until-stopped.ts';
import { passingSeat, startSeat } from './seat.ts';
import { startTracing } from './tracing-part.ts';

/**
 * `trapline api`: serves only HTTP, on the configured servers. Any number of these processes share the load; `worker`
 * runs the jobs that they queue.
 */
export async function runApi({ config }: { config: Config }): Promise<never> {
  for (const [name, url] of [
    ['CLICKHOUSE_URL', config.clickhouse.url],
    ['DATABASE_URL', config.postgres.url],
  ] as const)
    if (url === undefined) throw usageError(`api needs stores that other processes share: set ${name}`);
  if (config.kafka !== undefined) requireCorrectedKafkaClient();
  const logs = await openLogExport(config.otlpLogs, sourceOf('api', config.seat));
  const log = await createLogger(config, logs);
  logPlatformSettings(config, log);
  const rulesFile = await loadRuleSettings(config.rulesFile);

  return runUntilStopped(log, async ({ lifecycle, failed }) => {
    const registry = createProcessRegistry();
    const tracing = await startTracing(config, 'api', { lifecycle, log, logs, registry });
    const seat = await startSeat(config, 'api', lifecycle);
    const foundation = await startFoundation({ config, lifecycle, log, registry, tracing, failed });
    await reportProcess('api', foundation);
    const { clickhouse } = foundation;
    if (config.kafka === undefined) await requireReplicas(clickhouse, config.clickhouse);
    const rules = await startRuleSource(rulesFile, foundation);
    const store = createLandingStore({ clickhouse });
    const instanceId = seat ?? passingSeat('api');
    const intake: Intake = config.kafka
      ? { ...(await startTopicIntake(config, { lifecycle, log })), lanes: async () => [] }
      : await startLocalRole(config, { lifecycle, store, rules, registry, tracing, log, failed, instanceId });
    const disk = observeDiskSpace(registry, config, clickhouse);
    const url = await startPlatform(foundation, {
      disk,
      landing: observeLanding(registry, intake.lanes),
      outbound: await startOutbound(foundation),
      executions: await startExecutions(foundation),
      submitEvents: intake.submit,
      redrive: redriveThrough(intake.submit, clickhouse, config),
      rules: rulesFile,
      ruleSource: rules,
      components: observeStores({
        clickhouse,
        withoutClickHouse: 'degraded',
        brokers: intake.brokers,
        lanes: intake.lanes,
        disk,
      }),
      own: observeLanes(intake.lanes),
      brokers: intake.brokers,
    });
    log.info({ url }, 'api is running');
  });
}
