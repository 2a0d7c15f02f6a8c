import { problemsOf } from '#test/invariants/exactly-once.ts';
import { type Blow, type OracleRun, runOracle } from '#test/invariants/oracle.ts';
import { readSoakOptions, SoakUsageError, soakOptions } from '#test/invariants/soak-options.ts';
import { useOwnTemporaryFolder } from '#test/support/own-temporary-folder.ts';
import { seededRandom } from '#test/support/seeded-random.ts';
import { startClickHouseCluster } from '#test/support/services/clickhouse-cluster.ts';
import { startKafkaBroker } from '#test/support/services/kafka-broker.ts';

/**
 * `npm run soak -- --of replicas [--runs 50] [--seed 1] [--shards 3]`: performs oracle runs on a ClickHouse cluster and
 * also kills and freezes its nodes and keeper. `--shards` lists the number of replicas of each shard: `3` is one shard
 * with three replicas, `1,1` are two shards with one replica each. A run that fails prints its seed; `--seed N --runs
 * 1` repeats it. Exit code 1 if any run failed.
 */
const {
  runs,
  seed: firstSeed,
  shards,
} = soakOptions((args) => {
  const values = readSoakOptions(args, { runs: 50, seed: 1, shards: '3' });
  if (!/^[1-9](,[1-9])*$/.test(values.shards))
    throw new SoakUsageError(`--shards: must be numbers of replicas joined by commas (got ${values.shards})`);
  return { ...values, shards: values.shards.split(',').map(Number) };
});
const BLOWS: readonly Blow[] = [
  ...(['kill', 'kill', 'freeze', 'leave'] as const),
  ...(['kill replica', 'kill replica', 'freeze replica', 'freeze replica', 'kill keeper'] as const),
];

await useOwnTemporaryFolder('soak');
const kafka = await startKafkaBroker();
let failed = 0;
try {
  for (let seed = firstSeed; seed < firstSeed + runs; seed++) {
    const startedAt = performance.now();
    const run = runOf(seed);
    // Starts a new cluster for each run, so that the state after a failed run does not affect the next one.
    const clickHouse = await startClickHouseCluster({ shards, merges: false });
    const problems = await runOracle({ ...run, kafka, clickHouse })
      .then(problemsOf, (error: unknown) => [String(error)])
      .finally(() => clickHouse.stop());
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    if (problems.length > 0) failed++;
    const verdict = problems.length === 0 ? 'ok' : `FAILED: ${problems.join('; ')}`;
    process.stdout.write(
      `seed ${seed}  ${run.processes} processes  ${run.blows.join(', ')}  ${seconds} s  ${verdict}\n`,
    );
  }
} finally {
  await kafka.stop();
}
process.stdout.write(`${runs - failed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;

function runOf(seed: number): Omit<OracleRun, 'kafka' | 'clickHouse'> {
  const random = seededRandom(seed);
  return {
    seed,
    records: random.between(2000, 8000),
    partitions: random.between(shards.length, 4),
    processes: random.between(1, 2),
    blows: Array.from({ length: random.between(1, 5) }, () => random.pick(BLOWS)),
  };
}
