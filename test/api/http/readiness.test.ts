import { expect, test } from 'vitest';
import type { ComponentState } from '#api/http/ports.ts';
import { createReadiness } from '#api/http/readiness.ts';

function process({ postgres = 'ok', pipeline = 'ok' }: { postgres?: ComponentState; pipeline?: ComponentState } = {}) {
  const now: { postgres: ComponentState; pipeline: ComponentState; draining: boolean } = {
    postgres,
    pipeline,
    draining: false,
  };
  const readiness = createReadiness({
    components: { postgres: () => now.postgres },
    own: { pipeline: () => now.pipeline },
    isDraining: () => now.draining,
  });
  return { now, readiness };
}

test('a process is ready after each required store has worked once', async () => {
  const { now, readiness } = process({ postgres: 'down' });
  expect(await readiness()).toEqual({ status: 'down', components: { postgres: 'down', pipeline: 'ok' } });
  now.postgres = 'ok';
  expect(await readiness()).toEqual({ status: 'ok', components: { postgres: 'ok', pipeline: 'ok' } });
});

test('a store that becomes unavailable is reported, and the process stays ready: all processes miss it alike', async () => {
  const { now, readiness } = process();
  await readiness();
  now.postgres = 'down';
  expect(await readiness()).toEqual({ status: 'degraded', components: { postgres: 'down', pipeline: 'ok' } });
});

test('a store that is degraded from the start does not prevent readiness', async () => {
  const { readiness } = process({ postgres: 'degraded' });
  expect(await readiness()).toMatchObject({ status: 'degraded' });
});

test('a failed part of the process makes it unready, until it works again', async () => {
  const { now, readiness } = process();
  await readiness();
  now.pipeline = 'down';
  expect(await readiness()).toMatchObject({ status: 'down', components: { postgres: 'ok', pipeline: 'down' } });
  now.pipeline = 'degraded';
  expect(await readiness()).toMatchObject({ status: 'degraded' });
});

test('a draining process is not ready, whatever the state of its stores', async () => {
  const { now, readiness } = process();
  await readiness();
  now.draining = true;
  expect(await readiness()).toMatchObject({ status: 'down', components: { postgres: 'ok', pipeline: 'ok' } });
});
