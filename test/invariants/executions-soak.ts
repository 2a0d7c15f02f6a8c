import { sql } from 'kysely';
import { createDatabase } from '#api/postgres/database.ts';
import { migrateDatabase } from '#api/postgres/migrations/migrate.ts';
import { runExecutionsOracle } from '#test/invariants/executions-oracle.ts';
import { createWorld } from '#test/invariants/executions-world.ts';
import { readSoakOptions, soakOptions } from '#test/invariants/soak-options.ts';
import { useOwnTemporaryFolder } from '#test/support/own-temporary-folder.ts';
import { seededRandom } from '#test/support/seeded-random.ts';
import { startPostgres } from '#test/support/services/postgres.ts';

/**
 * `npm run soak -- --of executions [--runs 200] [--seed 1]`: performs this number of oracle runs of executions, each in
 * a separate database. A run that fails prints its seed; `--seed N --runs 1` repeats it. Exit code 1 if any run failed.
 */
const { runs, seed: firstSeed } = soakOptions((args) => readSoakOptions(args, { runs: 200, seed: 1 }));
await useOwnTemporaryFolder('soak');
const postgres = await startPostgres();
const admin = createDatabase({ url: postgres.url, connections: 1 });
let failed = 0;
try {
  for (let seed = firstSeed; seed < firstSeed + runs; seed++) {
    const random = seededRandom(seed);
    const sizes = { runs: random.between(20, 120), workers: random.between(1, 3), kills: random.between(1, 8) };
    const name = `soak_${seed}`;
    await sql`CREATE DATABASE ${sql.id(name)}`.execute(admin);
    const url = Object.assign(new URL(postgres.url), { pathname: `/${name}` }).href;
    const database = createDatabase({ url });
    const startedAt = performance.now();
    try {
      await migrateDatabase(database);
      await createWorld(database);
      const { problems, begunAgain } = await runExecutionsOracle({ seed, ...sizes, database, url });
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      if (problems.length > 0) failed++;
      const verdict = problems.length === 0 ? 'ok' : `FAILED: ${problems.join('; ')}`;
      process.stdout.write(
        `seed ${seed}  ${sizes.runs} runs  ${sizes.workers} workers  ${sizes.kills} kills  ${begunAgain} begun again  ${seconds} s  ${verdict}\n`,
      );
    } catch (error) {
      failed++;
      process.stdout.write(`seed ${seed}  FAILED: ${String(error)}\n`);
    } finally {
      await database.destroy();
      await sql`DROP DATABASE ${sql.id(name)} WITH (FORCE)`.execute(admin);
    }
  }
} finally {
  await admin.destroy();
  await postgres.stop();
}
process.stdout.write(`${runs - failed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
