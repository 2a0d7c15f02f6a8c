import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { observeExecutions } from '#deploy/processes/platform/observe-executions.ts';

const ended = async (registry: Registry, kind: string, status: string) =>
  new RegExp(`executions_total\\{kind="${kind}",status="${status}"\\} (\\d+)`).exec(await registry.metrics())?.[1];

it('exports every final status from the start, so that the first failure is visible as an increase', async () => {
  const registry = new Registry();
  const published: object[] = [];
  const { onTransition } = observeExecutions({
    registry,
    feed: { publish: (message) => void published.push(message) },
  });
  for (const kind of ['workflow', 'agent'])
    for (const status of ['completed', 'failed', 'cancelled', 'rejected'])
      expect(await ended(registry, kind, status), `${kind} ${status}`).toBe('0');

  onTransition?.({ executionId: 'exec_1', kind: 'agent', status: 'running' });
  onTransition?.({ executionId: 'exec_1', kind: 'agent', status: 'failed' });
  expect(await ended(registry, 'agent', 'failed')).toBe('1');
  expect(published).toMatchObject([{ status: 'running' }, { status: 'failed' }]);
});
