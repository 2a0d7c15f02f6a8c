import { access, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createLandingStore } from '#analytics/clickhouse/landing-store.ts';
import type { Config } from '../config.ts';
import { createDemo } from '../demo/demo.ts';
import { DEMO_HOST } from '../demo/replay.ts';
import { ensureOperatorKey } from '../operator-key.ts';
import { startClickHouse } from './clickhouse-part.ts';
import { startHttpRole } from './http-role.ts';
import { claimDataDirectory } from './instance.ts';
import { type Intake, redriveThrough, startKafkaIntake } from './intake.ts';
import { startLocalRole } from './local-role.ts';
import { createLogger } from './logging.ts';
import { operatorGuard } from './operator-guard.ts';
import { createProcessRegistry } from './process-metrics.ts';
import { observeStores } from './readiness.ts';
import { loadRuleSettings } from './rule-settings.ts';
import { runUntilStopped } from './run-until-stopped.ts';
import { summarise } from './summary.ts';

export interface StartOptions {
  readonly config: Config;
  /** Whether a first start replays the bundled capture. */
  readonly demo: boolean;
  /** One line for people. */
  readonly note: (text: string) => void;
}

/** `trapline start`: every role in one process, on the local engines or on the servers whose URLs are set. */
export async function runStart({ config, demo, note }: StartOptions): Promise<never> {
  const log = createLogger(config);
  const rules = await loadRuleSettings(config.rulesFile);

  return runUntilStopped(log, async ({ lifecycle, failed }) => {
    const registry = createProcessRegistry();
    const instance = await lifecycle.start('data directory', async () => {
      const claimed = await claimDataDirectory(config.dataDir);
      return { value: claimed, stop: claimed.release };
    });
    const clickhouse = await startClickHouse(config, lifecycle, log, failed);
    const store = createLandingStore({ clickhouse });
    const common = { lifecycle, store, rules, registry, log, failed };

    const local = config.kafka ? undefined : await startLocalRole(config, { ...common, instanceId: instance.id });
    const intake: Intake = local ?? (await startKafkaIntake(config, { ...common, instanceId: instance.id }));
    const redrive = redriveThrough(intake.submit, clickhouse, config);
    const bundled = local && createDemo(clickhouse, local);
    const url = await startHttpRole(config, lifecycle, {
      logger: log,
      registry,
      guard: operatorGuard(await ensureOperatorKey(config.dataDir)),
      clickhouse,
      components: observeStores({ clickhouse, consumer: intake.consumer, lanes: intake.lanes }),
      submitEvents: intake.submit,
      redrive,
      rules,
      demo: bundled,
    });

    const first = await isFirstStart(config.dataDir);
    if (first && demo && bundled !== undefined) {
      const events = await bundled.replay();
      note(
        `Replayed ${events} events of a real attack, captured on Linux 6.18, as host "${DEMO_HOST}". ` +
          'Take it away again with: npx trapline demo remove',
      );
    }
    note(await summarise(clickhouse, { url, dataDir: config.dataDir, kafka: config.kafka?.brokers }));
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
