import { access, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createLandingStore } from '#analytics/clickhouse/landing-store.ts';
import { hasNoAdministrator } from '#api/accounts/set-up/set-up.ts';
import { setUpToken } from '#api/accounts/set-up/set-up-token.ts';
import { requireCorrectedKafkaClient } from '#ingest/kafka/corrected-client.ts';
import type { Config } from '../config.ts';
import { createDemo } from '../demo/demo.ts';
import { DEMO_HOST } from '../demo/replay.ts';
import { openLogExport, sourceOf } from '../tracing/open-otlp.ts';
import { traplineCommand } from '../trapline-command.ts';
import { observeDiskSpace } from './disk-space.ts';
import { claimDataDirectory } from './instance.ts';
import { type Intake, redriveThrough, startKafkaIntake } from './intake.ts';
import { startLocalRole } from './local-role.ts';
import { createLogger } from './logging.ts';
import { observeLanding } from './observe-landing.ts';
import { startExecutions } from './platform/executions-part.ts';
import { startExecutionWorker } from './platform/executions-role.ts';
import { startFoundation } from './platform/foundation.ts';
import { startJobs } from './platform/jobs-role.ts';
import { logPlatformSettings } from './platform/log-platform-settings.ts';
import { startOutbound } from './platform/outbound-part.ts';
import { startOutputDelivery } from './platform/outputs-part.ts';
import { startPlatform } from './platform/platform-role.ts';
import { createProcessRegistry } from './process-metrics.ts';
import { observeLanes, observeStores } from './readiness.ts';
import { reportProcess } from './report-process.ts';
import { requireLoopback } from './require-loopback.ts';
import { requireReplicas } from './require-replicas.ts';
import { loadRuleSettings } from './rule-settings.ts';
import { startRuleSource } from './rule-source.ts';
import { runUntilStopped } from './run-until-stopped.ts';
import { summarise } from './summary.ts';
import { startTracing } from './tracing-part.ts';

export interface StartOptions {
  readonly config: Config;
  /** If true, a first start replays the bundled capture. */
  readonly demo: boolean;
  /** Writes one line for the user. */
  readonly note: (text: string) => void;
}

/** `trapline start`: runs all roles in one process, on the embedded engines or the configured servers. */
export async function runStart({ config, demo, note }: StartOptions): Promise<never> {
  if (config.kafka !== undefined) requireCorrectedKafkaClient();
  const logs = await openLogExport(config.otlpLogs, sourceOf('start', config.seat));
  const log = await createLogger(config, logs);
  logPlatformSettings(config, log);
  requireLoopback(config);
  const rulesFile = await loadRuleSettings(config.rulesFile);

  return runUntilStopped(log, async ({ lifecycle, failed }) => {
    const registry = createProcessRegistry();
    const tracing = await startTracing(config, 'start', { lifecycle, log, logs, registry });
    const instance = await lifecycle.start('data directory', async () => {
      const claimed = await claimDataDirectory(config.dataDir);
      return { value: claimed, stop: claimed.release };
    });
    const foundation = await startFoundation({ config, lifecycle, log, registry, tracing, failed });
    await reportProcess('start', foundation);
    const { clickhouse } = foundation;
    if (config.clickhouse.url !== undefined) await requireReplicas(clickhouse, config.clickhouse);
    const rules = await startRuleSource(rulesFile, foundation);
    const store = createLandingStore({ clickhouse });
    const common = { lifecycle, store, rules, registry, tracing, log, failed, instanceId: instance.id };

    const local = config.kafka ? undefined : await startLocalRole(config, common);
    const intake: Intake = local ?? (await startKafkaIntake(config, common));
    const bundled = local && createDemo(clickhouse, local);
    const outbound = await startOutbound(foundation);
    const executions = await startExecutions(foundation);
    const disk = observeDiskSpace(registry, config, clickhouse);
    const url = await startPlatform(foundation, {
      disk,
      landing: observeLanding(registry, intake.lanes),
      outbound,
      executions,
      submitEvents: intake.submit,
      redrive: redriveThrough(intake.submit, clickhouse, config),
      rules: rulesFile,
      ruleSource: rules,
      demo: bundled,
      components: observeStores({
        clickhouse,
        withoutClickHouse: 'degraded',
        beforeJoin: 'degraded',
        consumer: intake.consumer,
        brokers: intake.brokers,
        lanes: intake.lanes,
        disk,
      }),
      own: observeLanes(intake.lanes),
      consumer: intake.consumer,
      brokers: intake.brokers,
    });
    await startJobs(foundation, { executions, outbound }, config.platform.url ?? url);
    await startExecutionWorker(foundation, executions, outbound);
    await startOutputDelivery(foundation, outbound);
    await intake.join?.();

    const first = await isFirstStart(config.dataDir);
    if (first && demo && bundled !== undefined) {
      const events = await bundled.replay();
      note(
        `Replayed ${events} events of a real attack, captured on Linux 6.18, as host "${DEMO_HOST}". ` +
          `Remove it with: ${traplineCommand(config.dataDir)} demo remove`,
      );
    }
    note(
      await summarise(clickhouse, {
        url,
        publicUrl: config.platform.url,
        dataDir: config.dataDir,
        kafka: config.kafka?.brokers,
        setUpToken: (await hasNoAdministrator(foundation.database))
          ? setUpToken(foundation.secrets.auth, new Date())
          : undefined,
      }),
    );
  });
}

async function isFirstStart(dataDir: string): Promise<boolean> {
  const marker = path.join(dataDir, 'started');
  const known = await access(marker).then(
    () => true,
    () => false,
  );
  if (!known) await writeFile(marker, `${new Date().toISOString()}\n`, { mode: 0o600 });
  return !known;
}
