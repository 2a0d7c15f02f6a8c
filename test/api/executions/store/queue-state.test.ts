import { afterAll, expect, test } from 'vitest';
import { queueState } from '#api/executions/store/queue-state.ts';
import { createEngineFixture, wait, workflow } from '#test/api/executions/engine/engine-fixture.ts';
import { usePostgres } from '#test/support/use-services.ts';

const { database, url } = await usePostgres();
const engine = createEngineFixture(database, url);
afterAll(() => engine.stopAll());

test('counts executions as waiting without a worker, but not sleeping and ended ones', async () => {
  const idle = { pending: 0, oldestSeconds: 0 };
  expect(await queueState(database)).toEqual([
    { kind: 'agent', ...idle },
    { kind: 'workflow', ...idle },
  ]);
  engine.definitions.set('short', workflow({ sleep: wait(1) }));
  engine.definitions.set('long', workflow({ sleep: wait(3_600_000) }));
  const short = await engine.run('short');
  const long = await engine.run('long');
  await database
    .updateTable('executions')
    .set({ queuedAt: new Date(Date.now() - 600_000) })
    .where('id', '=', long)
    .execute();
  const [agents, workflows] = await queueState(database);
  expect(agents).toEqual({ kind: 'agent', ...idle });
  expect(workflows?.pending).toBe(2);
  expect(workflows?.oldestSeconds).toBeGreaterThanOrEqual(600);
  engine.work();
  await engine.until(short, 'completed');
  await engine.until(long, 'waiting');
  expect(await queueState(database)).toEqual([
    { kind: 'agent', ...idle },
    { kind: 'workflow', ...idle },
  ]);
});
