import { requireCorrectedKafkaClient } from '#ingest/kafka/corrected-client.ts';
import { usageError } from '../cli/command-error.ts';
import type { Config } from '../config.ts';
import { openLogExport, sourceOf } from '../tracing/open-otlp.ts';
import { localUrl } from './local-url.ts';
import { createLogger } from './logging.ts';
import { startExecutions } from './platform/executions-part.ts';
import { startExecutionWorker } from './platform/executions-role.ts';
import { startFoundation } from './platform/foundation.ts';
import { startJobs } from './platform/jobs-role.ts';
import { logPlatformSettings } from './platform/log-platform-settings.ts';
import { startOutbound } from './platform/outbound-part.ts';
import { startOutputDelivery } from './platform/outputs-part.ts';
import { platformComponents } from './platform/store-checks.ts';
import { createProcessRegistry } from './process-metrics.ts';
import { reportProcess } from './report-process.ts';
import { runUntilStopped } from './run-until-stopped.ts';
import { startStatusServer } from './status-server.ts';
import { startTracing } from './tracing-part.ts';

/** `trapline worker`: runs the jobs that API processes queue. Any number of these processes share the load. */
export async function runWorker({ config }: { config: Config }): Promise<never> {
  if (config.postgres.url === undefined || config.clickhouse.url === undefined)
    throw usageError('worker runs the jobs that other processes queue: set DATABASE_URL and CLICKHOUSE_URL');
  if (config.kafka !== undefined) requireCorrectedKafkaClient();
  const logs = await openLogExport(config.otlpLogs, sourceOf('worker', config.seat));
  const log = await createLogger(config, logs);
  logPlatformSettings(config, log);

  return runUntilStopped(log, async ({ lifecycle, failed }) => {
    const registry = createProcessRegistry();
    const tracing = await startTracing(config, 'worker', { lifecycle, log, logs, registry });
    const foundation = await startFoundation({ config, lifecycle, log, registry, tracing, failed });
    await reportProcess('worker', foundation);
    const { host, port } = config.http;
    const executions = await startExecutions(foundation);
    const outbound = await startOutbound(foundation);
    await startJobs(foundation, { executions, outbound }, config.platform.url ?? localUrl(host, port));
    await startExecutionWorker(foundation, executions, outbound);
    await startOutputDelivery(foundation, outbound);
    const url = await startStatusServer(config, 'worker', lifecycle, {
      logger: log,
      registry,
      components: platformComponents(foundation),
    });
    log.info({ url }, 'worker is running');
  });
}
