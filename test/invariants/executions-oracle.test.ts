import { expect, it } from 'vitest';
import { usePostgres } from '#test/support/use-services.ts';
import { runExecutionsOracle } from './executions-oracle.ts';
import { createWorld } from './executions-world.ts';

// `npm run soak -- --of executions` runs hundreds of seeds.
it.each([1, 2])(
  'while workers are killed at random, no execution is lost and no completed step runs again (seed %i)',
  { timeout: 300_000 },
  async (seed) => {
    const { database, url } = await usePostgres();
    await createWorld(database);
    const result = await runExecutionsOracle({ seed, runs: 40, workers: 2, kills: 3, database, url });
    expect(result.problems).toEqual([]);
  },
);
