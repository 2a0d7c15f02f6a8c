import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { observeComponents } from '#api/http/observe-components.ts';
import type { ComponentState } from '#api/http/ports.ts';

test('exports 1 for working components and 0 for others at each scrape', async () => {
  const registry = new Registry();
  let redis: ComponentState = 'ok';
  observeComponents(registry, {
    clickhouse: () => 'ok',
    redis: async () => redis,
    postgres: () => Promise.reject(new Error('away')),
  });
  const shown = async () =>
    (await registry.metrics())
      .split('\n')
      .filter((line) => line !== '' && line[0] !== '#')
      .map((line) => line.slice('trapline_component_up'.length));
  expect(await shown()).toEqual(['{component="clickhouse"} 1', '{component="redis"} 1', '{component="postgres"} 0']);
  redis = 'degraded';
  expect(await shown()).toContain('{component="redis"} 0');
});
