import fc from 'fast-check';
import { expect, test } from 'vitest';
import { getEvent } from '#analytics/clickhouse/read-models/events.ts';
import type { AcceptedEvent } from '#schemas/events/accepted.ts';
import { parseTimestamp } from '#schemas/events/timestamp.ts';
import type { EventV1 } from '#schemas/events/versions/v1.ts';
import { stringifyExact } from '#schemas/json/stringify-exact.ts';
import { arbEventV1 } from '#test/support/arbitrary-events.ts';
import { accepted, callback, useDatabase } from './fixture.ts';

const { clickhouse, store } = await useDatabase();

function readable(event: EventV1): AcceptedEvent {
  const time = parseTimestamp(event.timestamp);
  if (time === undefined) throw new Error('arbitrary events have valid timestamps');
  return { ok: true, event, time };
}

const digits = (value: number | bigint | null | undefined): string | null =>
  value === null || value === undefined ? null : BigInt(value).toString();

test('arbitrary events are returned unchanged: text byte by byte, numbers to the last digit', async () => {
  let partition = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(arbEventV1(), { minLength: 1, maxLength: 60 }), async (events) => {
      const lane = { topic: 'round-trip', partition: partition++ };
      const block = store.openEvents(lane, Date.now());
      const rows = events.map((event, offset) => {
        const row = { offset, accepted: readable(event), raw: Buffer.from(stringifyExact(event)), ingestId: '' };
        block.append(row);
        return row;
      });
      expect(await store.landEvents(block, -1)).toEqual({ outcome: 'landed' });

      const replayed: string[] = [];
      for await (const batch of store.replay(lane, -1, events.length)) replayed.push(...batch.map(String));
      expect(replayed).toEqual(rows.map((row) => row.raw.toString()));

      const found = await clickhouse.rows<Record<string, string | null>>(
        'read',
        `SELECT *, toString(toUnixTimestamp64Nano(timestamp)) AS nanos FROM ${clickhouse.table('events')}
         WHERE topic = 'round-trip' AND partition = ${lane.partition} ORDER BY offset`,
      );
      expect(found.length).toBe(events.length);
      for (const [i, { accepted: row }] of rows.entries()) {
        const stored = found[i] as Record<string, string | null>;
        expect(stored.nanos).toBe(String(BigInt(row.time.seconds) * 1_000_000_000n + BigInt(row.time.nanos)));
        expect(stored.hostname).toBe(wellFormed(row.event.hostname));
        const kind = row.event.event;
        expect(stored.type).toBe(kind.type);
        if (kind.type === 'LinuxKernelTrap') {
          expect([stored.pid, stored.ip, stored.sp]).toEqual([digits(kind.pid), digits(kind.ip), digits(kind.sp)]);
          expect([stored.vmastart, stored.vmasize]).toEqual([digits(kind.vmastart), digits(kind.vmasize)]);
          expect([stored.procname, stored.file]).toEqual([wellFormed(kind.procname), wellFormed(kind.file)]);
          expect(stored.location).toBe(kind.trap.type === 'Segfault' ? digits(kind.trap.location) : null);
        }
        if (kind.type === 'LinuxSuppressedCallback') expect(stored.count).toBe(digits(kind.count));
      }
    }),
    { numRuns: 25 },
  );
});

function wellFormed(text: unknown): string | null {
  return typeof text === 'string' ? text.toWellFormed() : null;
}

test('distinguishes zero from null and an empty name from a missing one, with exact limits of numbers', async () => {
  const lane = { topic: 'edges', partition: 0 };
  const block = store.openEvents(lane, Date.now());
  const values = [0, 1, 2 ** 32 - 1, 2 ** 32, 2 ** 53 - 1, 2n ** 63n, 2n ** 64n - 1n];
  for (const [offset, value] of values.entries()) {
    block.append({
      offset,
      accepted: accepted(callback(value), offset === 0 ? '' : null, 0),
      raw: Buffer.from('{}'),
      ingestId: '',
    });
  }
  await store.landEvents(block, -1);
  const stored = await Promise.all(values.map((_, offset) => getEvent(clickhouse, `edges~0~${offset}`)));
  expect(stored.map((event) => event?.count)).toEqual(values.map(String));
  expect(stored.map((event) => event?.pid)).toEqual(values.map(() => null));
  expect(stored.slice(0, 2).map((event) => event?.hostname)).toEqual(['', null]);
});

test('instants from 1900 to 2262 keep nine digits', async () => {
  const lane = { topic: 'instants', partition: 0 };
  const times = [
    '1900-01-01T00:00:00Z',
    '1969-12-31T23:59:59.999999999Z',
    '1970-01-01T00:00:00.000000001Z',
    '2262-04-11T23:47:16.854775807Z',
  ];
  const block = store.openEvents(lane, Date.now());
  for (const [offset, text] of times.entries()) {
    const time = parseTimestamp(text) as AcceptedEvent['time'];
    block.append({
      offset,
      accepted: accepted(callback(1), null, time.seconds, time.nanos),
      raw: Buffer.from('{}'),
      ingestId: '',
    });
  }
  await store.landEvents(block, -1);
  const rows = await clickhouse.rows<{ n: string }>(
    'read',
    `SELECT toString(toUnixTimestamp64Nano(timestamp)) AS n FROM ${clickhouse.table('events')} WHERE topic = 'instants' ORDER BY offset`,
  );
  expect(rows.map((row) => row.n)).toEqual(['-2208988800000000000', '-1', '1', '9223372036854775807']);
});
