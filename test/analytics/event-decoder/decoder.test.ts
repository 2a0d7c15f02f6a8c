import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { eventsTable } from '#analytics/clickhouse/tables/events.ts';
import { NUMBER_COLUMNS, TEXT_COLUMNS } from '#analytics/event-decoder/column-plan.ts';
import { createEventDecoder } from '#analytics/event-decoder/decoder.ts';
import { openModule } from '#analytics/event-decoder/open-module.ts';
import { createMemoryPool } from '#ingest/pipeline/memory-pool.ts';
import { packRecords, readPacked } from '#ingest/pipeline/packed-records.ts';
import { createEventReader } from '#schemas/events/event-reader.ts';
import { readEvent } from '#schemas/events/read-event.ts';
import { DECODED_EVENTS } from './decoded-events.ts';

const TRAP = DECODED_EVENTS.trap as string;
const { MAX_NAMES, MAX_NAME_BYTES, WINDOW_BYTES } = openModule();

function pack(texts: readonly (string | null)[]) {
  const pool = createMemoryPool(0);
  const records = texts.map((text, offset) => {
    return { offset, key: null, value: text === null ? null : Buffer.from(text), ingestId: '' };
  });
  return readPacked(packRecords(records, pool), pool.release);
}

/** Returns a decoder that knows the shape of a trap, and its reader. */
function createTrapDecoder() {
  const read = createEventReader({ learnEvery: 1 });
  read(Buffer.from(TRAP));
  return { read, decoder: createEventDecoder(read.shapes) };
}

/** Returns which of the texts the decoder reads, and compares their events. */
function decodedOf(texts: readonly (string | null)[]): boolean[] {
  const { decoder } = createTrapDecoder();
  const records = pack(texts);
  return texts.map((text, index) => {
    const event = decoder.read(records, index);
    // Compared first without a report, which takes ten times as long.
    const expected = readEvent(text ?? '');
    if (event !== undefined && !isDeepStrictEqual(event, expected)) expect(event).toEqual(expected);
    return event !== undefined;
  });
}

test('more different names than the module keeps are read, except for the one that finds it full', () => {
  const texts = Array.from({ length: 2 * MAX_NAMES }, (_, i) => TRAP.replace('"edge-1"', `"edge-${i}"`));
  const unread = decodedOf(texts).filter((isDecoded) => !isDecoded).length;
  expect(unread).toBeGreaterThan(0);
  expect(unread).toBeLessThan(texts.length / 16);
});

test('names above the limit are left to the caller, and other events after them are read', () => {
  const named = (length: number) => TRAP.replace('"edge-1"', `"${'e'.repeat(length)}"`);
  expect(decodedOf([named(MAX_NAME_BYTES), named(MAX_NAME_BYTES + 1), TRAP])).toEqual([true, false, true]);
});

test('records without a value and above the size of the window are left to the caller', () => {
  expect(decodedOf([TRAP, null, TRAP, ' '.repeat(WINDOW_BYTES), TRAP, '', TRAP])).toEqual([
    ...[true, false, true, false, true, false, true],
  ]);
});

test('records that were read before are read again, and other records between them', () => {
  const { decoder } = createTrapDecoder();
  const one = pack([TRAP, TRAP.replace('"edge-1"', '"one"')]);
  const other = pack([TRAP.replace('"edge-1"', '"other"')]);
  const hostOf = (records: typeof one, index: number) => decoder.read(records, index)?.event.hostname;
  expect([hostOf(one, 1), hostOf(other, 0), hostOf(one, 0), hostOf(one, 1), hostOf(one, 0)]).toEqual([
    ...['one', 'other', 'edge-1', 'one', 'edge-1'],
  ]);
});

test('the decoder or the block writes each column of the table', () => {
  // Only events that the module does not decode have a register.
  const others = ['topic', 'partition', 'offset', 'received', 'timestamp', 'ingest_id', 'raw', 'register'];
  const columns = eventsTable.columns.map(({ name }) => name);
  expect([...others, ...TEXT_COLUMNS, ...NUMBER_COLUMNS].sort()).toEqual(columns.sort());
});

test('faults of the kernel are left to the caller, because the kind of trap has a prefix', () => {
  const { read, decoder } = createTrapDecoder();
  const fault = TRAP.replace('"access_mode":"User"', '"access_mode":"Kernel"');
  expect(fault).not.toBe(TRAP);
  read(Buffer.from(fault));
  const records = pack([fault, TRAP]);
  expect([0, 1].map((index) => decoder.read(records, index) !== undefined)).toEqual([false, true]);
});

test('a shape that is learned later is read in the next window', () => {
  const { read, decoder } = createTrapDecoder();
  const signal = DECODED_EVENTS.signal as string;
  expect(decoder.read(pack([signal]), 0)).toBeUndefined();
  read(Buffer.from(signal));
  expect(decoder.read(pack([signal]), 0)).toEqual(readEvent(signal));
});

test('shapes that do not fit into the memory of the module are left to the caller, and read again later', () => {
  const read = createEventReader({ learnEvery: 1, maxShapes: 400, forgetAfter: 1 });
  const decoder = createEventDecoder(read.shapes);
  const long = (i: number) => TRAP.replace('"event":', `"member${i}${'x'.repeat(8_000)}":1,"event":`);
  for (let i = 0; i < 400; i += 1) read(Buffer.from(long(i)));
  expect(decoder.read(pack([long(0)]), 0)).toBeUndefined();
  // The reader forgets all shapes when it has learned as many as it keeps.
  read(Buffer.from(TRAP));
  read(Buffer.from(TRAP));
  expect(decoder.read(pack([TRAP]), 0)).toEqual(readEvent(TRAP));
});
