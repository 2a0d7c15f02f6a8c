import { expect, it } from 'vitest';
import { createFrameGate, type SchemaIds } from '#ingest/pipeline/frame-gate.ts';
import { createMemoryPool } from '#ingest/pipeline/memory-pool.ts';
import { packRecords, readPacked } from '#ingest/pipeline/packed-records.ts';
import type { LaneState } from '#ingest/pipeline/record-steps.ts';

const STATE = {} as LaneState;

function framed(count: number, first = 1) {
  const records = Array.from({ length: count }, (_, index) => {
    const value = Buffer.alloc(7, '{}');
    value[0] = 0;
    value.writeUInt32BE(first + index, 1);
    return { offset: index, key: null, value, ingestId: '' };
  });
  return readPacked(packRecords(records, createMemoryPool(0)), () => {});
}

/** A registry that responds with `answer`; each response advances the clock of the gate by `tookMs`. */
function openGate(answer: () => Awaited<ReturnType<SchemaIds['resolve']>>, tookMs: number) {
  const clock = { now: 0, asked: 0 };
  const known = new Set<number>();
  const schemaIds: SchemaIds = {
    isOurs: (id) => (known.has(id) ? true : undefined),
    async resolve(id) {
      clock.asked++;
      clock.now += tookMs;
      const said = answer();
      if (said === 'ours') known.add(id);
      return said;
    },
  };
  return { gate: createFrameGate(schemaIds, () => clock.now), clock };
}

const refused = { ok: false, code: 'malformed_json', path: '$', message: '' } as const;

it('waits once for an unavailable registry, for any number of ids', async () => {
  let answer: Awaited<ReturnType<SchemaIds['resolve']>> = 'unavailable';
  const { gate, clock } = openGate(() => answer, 3_000);
  await gate.prepare(framed(1_000), STATE, []);
  expect(clock).toEqual({ now: 3_000, asked: 1 });
  expect(gate.prepare(framed(1_000, 5_000), STATE, [])).toBe(undefined);
  expect(gate.judge(7, refused)?.code).toBe('registry_unavailable');

  // The registry is available again: the gate notices in the background and resumes normal requests.
  clock.now += 10_000;
  answer = 'ours';
  expect(gate.prepare(framed(1), STATE, [])).toBe(undefined);
  await expect.poll(() => gate.judge(1, refused)).toBe(undefined);
  await gate.prepare(framed(1, 2), STATE, []);
  expect(gate.judge(2, refused)).toBe(undefined);
});

it('does not wait long for a slow registry to reject a flood of invented ids', async () => {
  const { gate, clock } = openGate(() => 'unknown', 100);
  await gate.prepare(framed(100_000), STATE, []);
  expect(clock.now).toBeLessThanOrEqual(5_100);
  expect(gate.judge(1, refused)?.code).toBe('schema_unknown');
});
