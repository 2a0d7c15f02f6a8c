import { createClickHouse } from '#analytics/clickhouse/client.ts';
import { createLandingStore } from '#analytics/clickhouse/landing-store.ts';
import { accepted, callback } from '#test/analytics/clickhouse/fixture.ts';
import { TRAP_EVENT } from '#test/schemas/events/sample-event.ts';
import type { ClickHouseService } from '#test/support/services/clickhouse.ts';
import { waitFor } from '#test/support/wait-for.ts';

const HOUR = 3_600_000;
const FAILING = `
document: { dsl: "1.0.0", namespace: test, name: failing, version: "1.0.0" }
do:
  - give-up:
      raise:
        error: { type: "https://example.org/errors/always", status: 500, title: It always fails }
`;

export interface Service {
  readonly url: string;
  readonly operatorKey: string;
}

async function call({ url, operatorKey }: Service, method: string, route: string, body?: unknown) {
  const response = await fetch(url + route, {
    method,
    headers: { 'x-api-key': operatorKey, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${route}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Readonly<Record<string, unknown>>;
}

/** Inserts events of a host in each of the last 24 hours, so that the host has a baseline. */
export async function landHabit(config: ClickHouseService & { database: string }): Promise<void> {
  const clickhouse = createClickHouse(config);
  const store = createLandingStore({ clickhouse });
  const now = Date.now();
  for (let hour = 24; hour >= 0; hour--) {
    const at = now - hour * HOUR;
    const block = store.openEvents({ topic: 'local.http.habit', partition: 0 }, at);
    const offset = 24 - hour;
    block.append({
      offset,
      accepted: accepted(callback(1), 'steady', at / 1_000),
      raw: Buffer.from('{}'),
      ingestId: '',
    });
    await store.landEvents(block, offset - 1);
  }
  await clickhouse.close();
}

/**
 * Creates an output whose receiver is unreachable, an output that delivers, and a workflow that fails. Resolves to a
 * function that runs the workflow.
 */
export async function prepare(service: Service): Promise<() => Promise<unknown>> {
  await call(service, 'POST', '/api/outputs', {
    type: 'webhook',
    name: 'unreachable',
    settings: { url: 'http://127.0.0.1:9/' },
    secrets: { signingKey: 'a key of the tests, long enough' },
  });
  await call(service, 'POST', '/api/outputs', { type: 'workflows', name: 'events', settings: {}, secrets: {} });
  const released = await call(service, 'PUT', '/api/v1/workflows/failing', { yamlContent: FAILING });
  const { id } = released.workflow as { id: string };
  return () => call(service, 'POST', `/api/v1/workflows/${id}/run`, { input: {} });
}

let crashes = 0;
/**
 * Sends a probe of 60 crashes whose instruction pointer moves byte by byte, an invalid event, and a request with a
 * guessed key.
 */
export async function attack(service: Service): Promise<void> {
  crashes += 60;
  const events = Array.from({ length: 60 }, (_, step) => ({
    ...TRAP_EVENT,
    timestamp: new Date(Date.now() - 120_000 + (crashes + step) * 10).toISOString(),
    event: { ...TRAP_EVENT.event, ip: TRAP_EVENT.event.ip + crashes + step, pid: 4_000 + crashes + step },
  }));
  const { accepted: taken } = await call(service, 'POST', '/api/events', [...events, { ...TRAP_EVENT, version: 'V9' }]);
  if (taken !== 60) throw new Error(`${taken} events were taken`);
  const guessed = await fetch(`${service.url}/api/detections`, { headers: { 'x-api-key': 'guessed' } });
  if (guessed.status !== 401) throw new Error(`a guessed key: ${guessed.status}`);
}

export function detected(service: Service): Promise<unknown> {
  return waitFor('a detection', async () => {
    const { items, data } = await call(service, 'GET', '/api/detections');
    return ((items ?? data) as unknown[] | undefined)?.length;
  });
}
