import type { Config } from '../config.ts';
import { type CheckResult, runChecks } from './check.ts';
import { clickHouseChecks } from './clickhouse-checks.ts';
import { installationChecks } from './cluster/installation-checks.ts';
import { dataDirChecks } from './data-dir-checks.ts';
import { kafkaChecks } from './kafka-checks.ts';
import { machineChecks } from './machine-checks.ts';
import { platformChecks } from './platform-checks.ts';
import { postgresChecks } from './postgres-checks.ts';
import { rulesChecks } from './rules-check.ts';
import { serverCheck } from './server-check.ts';
import { sharedChecks } from './shared-checks.ts';
import { withTypedCommands } from './typed-commands.ts';

/**
 * Runs all checks of this configuration, in the order in which to investigate. With `cluster`, also checks all other
 * processes.
 */
export async function examine(config: Config, { cluster = false } = {}): Promise<CheckResult[]> {
  const results = await runChecks([
    ...dataDirChecks(config),
    ...clickHouseChecks(config),
    ...postgresChecks(config),
    ...kafkaChecks(config),
    ...rulesChecks(config),
    ...platformChecks(config),
    ...sharedChecks(config),
    serverCheck(config),
    ...(cluster ? installationChecks(config) : []),
    ...machineChecks(config),
  ]);
  return results.map((result) => withTypedCommands(result, config.dataDir));
}
