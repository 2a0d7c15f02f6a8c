import pino from 'pino';
import { Registry } from 'prom-client';
import { onTestFinished } from 'vitest';
import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { createAudit } from '#api/audit/audit.ts';
import { createSeal } from '#api/executions/secrets/seal.ts';
import { createOutboundFetch } from '#api/outbound/outbound-fetch.ts';
import { newOutputSchema } from '#api/outputs/kind-registry.ts';
import { createOutputs } from '#api/outputs/outputs.ts';
import type { OutputMessage } from '#api/outputs/port.ts';
import { createPublishEvents } from '#api/outputs/publish-events.ts';
import type { OutputReach } from '#api/outputs/reach.ts';
import { type OutputsConfig, startOutputs } from '#api/outputs/start-outputs.ts';
import type { Database } from '#api/postgres/database.ts';
import type { Detection } from '#schemas/detection.ts';
import { detection } from '#test/analytics/clickhouse/fixture.ts';
import { waitFor } from '#test/support/wait-for.ts';

export const silent = pino({ level: 'silent' });
export const SECRET = 'a secret of the tests, 32 characters';
export const seal = createSeal([SECRET]);
export const BY = { actor: 'operator', origin: { ip: '192.0.2.1', userAgent: '', requestId: 'test' } };
/**
 * Short pauses so that tests do not wait; long deadlines so that a stalled machine does not cause a delivery to be
 * abandoned and sent twice.
 */
export const QUICK: OutputsConfig = {
  pauseMs: 25,
  againMs: 0,
  deliveryMs: 30_000,
  stopGraceMs: 30_000,
  leaseMs: 60_000,
  maxPauseMs: 200,
};

let number = 0;
/** Returns a new detection at each call. */
export function fresh(over: Partial<Detection> = {}): Detection {
  number += 1;
  return detection({ id: `det_${String(number).padStart(32, '0')}`, ...over });
}

export function message(over: Partial<Detection> = {}, cause: OutputMessage['cause'] = 'opened'): OutputMessage {
  return { seq: 1, cause, detection: fresh(over), at: new Date('2026-03-01T12:00:00.123Z') };
}

/** Addresses of local receivers that may be reached, and other overrides. */
export function reachOf(database: Database, more: Partial<OutputReach> = {}): OutputReach {
  const fetch = createOutboundFetch({ allow: ['127.0.0.0/8'] });
  onTestFinished(() => fetch.close());
  return { fetch, publish: createPublishEvents({ database, logger: silent }), ...more };
}

/** Outputs created as by an administrator, and processes that deliver. */
export function outputsOf(clickhouse: ClickHouse, database: Database, more: Partial<OutputReach> = {}) {
  const reach = reachOf(database, more);
  const outputs = createOutputs({ database, audit: createAudit(), seal, reach });
  return {
    ...outputs,
    make: (wanted: unknown) => outputs.create(newOutputSchema.parse(wanted), BY),
    start(config: OutputsConfig = {}) {
      const registry = new Registry();
      const running = startOutputs(
        { clickhouse, database, logger: silent, registry, reach, seal },
        { ...QUICK, ...config },
      );
      onTestFinished(() => running.stop());
      return { ...running, registry };
    },
    rowOf: (id: string) => database.selectFrom('outputs').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
  };
}

/** Waits until the process has written some of these detections to the journal. */
export function journaled(database: Database, ids: readonly string[]): Promise<unknown> {
  return waitFor('the journal', async () => {
    const rows = await database.selectFrom('outputMessages').select('detectionId').execute();
    const there = new Set(rows.map(({ detectionId }) => detectionId));
    return ids.every((id) => there.has(id));
  });
}
