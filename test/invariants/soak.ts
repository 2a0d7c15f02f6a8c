import { problemsOf } from '#test/invariants/exactly-once.ts';
import { type Blow, type OracleRun, runOracle } from '#test/invariants/oracle.ts';
import { readSoakOptions, soakOptions } from '#test/invariants/soak-options.ts';
import { useOwnTemporaryFolder } from '#test/support/own-temporary-folder.ts';
import { seededRandom } from '#test/support/seeded-random.ts';
import { startClickHouse } from '#test/support/services/clickhouse.ts';
import { startKafkaBroker } from '#test/support/services/kafka-broker.ts';

/**
 * `npm run soak -- [--runs 200] [--seed 1]`: performs this number of oracle runs, each with different faults at
 * different times. A run that fails prints its seed; `--seed N --runs 1` repeats it. Exit code 1 if any run failed.
 */

const { runs, seed: firstSeed } = soakOptions((args) => readSoakOptions(args, { runs: 200, seed: 1 }));
const BLOWS: readonly Blow[] = ['kill', 'kill', 'kill', 'freeze', 'freeze', 'leave', 'kill broker', 'kill engine'];

await useOwnTemporaryFolder('soak');
const [kafka, clickHouse] = await Promise.all([startKafkaBroker(), startClickHouse()]);
let failed = 0;
try {
  for (let seed = firstSeed; seed < firstSeed + runs; seed++) {
    const startedAt = performance.now();
    const run = runOf(seed);
    const problems = await runOracle({ ...run, kafka, clickHouse }).then(problemsOf, (error: unknown) => [
      String(error),
    ]);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    if (problems.length > 0) failed++;
    const verdict = problems.length === 0 ? 'ok' : `FAILED: ${problems.join('; ')}`;
    process.stdout.write(
      `seed ${seed}  ${run.processes} processes  ${run.blows.join(', ')}  ${seconds} s  ${verdict}\n`,
    );
  }
} finally {
  await Promise.all([kafka.stop(), clickHouse.stop()]);
}
process.stdout.write(`${runs - failed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;

function runOf(seed: number): Omit<OracleRun, 'kafka' | 'clickHouse'> {
  const random = seededRandom(seed);
  const blows = Array.from({ length: random.between(1, 5) }, () => random.pick(BLOWS));
  return {
    seed,
    records: random.between(2000, 12_000),
    partitions: random.between(1, 6),
    processes: random.between(1, 3),
    blows,
  };
}
