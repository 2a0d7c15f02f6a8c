import { expect, it } from 'vitest';
import { createEventBlocks } from '#analytics/clickhouse/event-block.ts';
import type { EventBlockBuilder, EventRow } from '#analytics/clickhouse/port.ts';
import { readEvent } from '#schemas/events/read-event.ts';
import { fleetRecord } from '#test/bench/fleet-events.ts';

const lane = { topic: 'events.v1', partition: 3 };

function row(offset: number): EventRow {
  const raw = fleetRecord(offset).value;
  const accepted = readEvent(raw.toString());
  if (!accepted.ok) throw new TypeError(accepted.message);
  return { offset, accepted, raw, ingestId: offset % 7 === 0 ? `id/${offset}` : '' };
}

function fill(block: EventBlockBuilder, from: number, count: number): EventBlockBuilder {
  for (let offset = from; offset < from + count; offset++) block.append(row(offset));
  return block;
}

const written = (block: EventBlockBuilder) => Buffer.concat([...(block as never as Written).body(20_000)]);
interface Written {
  body(landingDay: number): Iterable<Buffer>;
}

it('is written the same into separate memory and into that of a previous block', () => {
  const open = createEventBlocks();
  for (const [from, count] of [
    [0, 500],
    [500, 3],
    [503, 1000],
    [1503, 64],
  ] as const) {
    const reused = fill(open({ topic: 'another', partition: 0 }, 1), 0, 777);
    written(reused);
    reused.release();
    const block = fill(open(lane, 1_770_000_000_000), from, count);
    const fresh = fill(createEventBlocks()(lane, 1_770_000_000_000), from, count);
    expect(block.rows).toBe(count);
    expect(written(block).equals(written(fresh))).toBe(true);
    expect(written(block).equals(written(fresh))).toBe(true);
    block.release();
  }
});

it('returns its memory once, however often it is released', () => {
  const open = createEventBlocks();
  const first = fill(open(lane, 1), 0, 10);
  first.release();
  first.release();
  const [second, third] = [open(lane, 2), open(lane, 2)];
  fill(second, 0, 5);
  fill(third, 5, 5);
  expect([second.rows, third.rows]).toEqual([5, 5]);
});

it('omits columns that are null in all rows, and writes all rows of one that begins late', () => {
  const open = createEventBlocks();
  const columnsOf = (block: EventBlockBuilder) => written(block).readUInt8(0);
  const traps = fill(open(lane, 1), 1, 10);
  const widthOfTraps = columnsOf(traps);
  expect(written(traps).includes('executable')).toBe(false);
  const late = fill(open(lane, 1), 1, 200);
  expect(written(late).includes('executable')).toBe(false);
  const { accepted, ...rest } = row(201);
  const event = { ...accepted.event.event, process: { executable: '/usr/sbin/late' } } as typeof accepted.event.event;
  late.append({ ...rest, accepted: { ...accepted, event: { ...accepted.event, event } } });
  expect(written(late).includes('/usr/sbin/late')).toBe(true);
  // Dumps and suppressed callbacks fill `signal`, `function_name` and `count`; the last event fills `executable`.
  expect(columnsOf(late)).toBe(widthOfTraps + 4);
});
