import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createEventBlocks } from '#analytics/clickhouse/event-block.ts';
import type { EventBlockBuilder } from '#analytics/clickhouse/port.ts';
import { createEventDecoder } from '#analytics/event-decoder/decoder.ts';
import { createMemoryPool } from '#ingest/pipeline/memory-pool.ts';
import { type PackedRecords, packRecords, readPacked } from '#ingest/pipeline/packed-records.ts';
import { createEventReader, type EventReader } from '#schemas/events/event-reader.ts';
import { readEvent } from '#schemas/events/read-event.ts';
import { fleetRecord } from '#test/bench/fleet-events.ts';
import { arbEventText, arbText, arbTimestamp, arbU64 } from '#test/support/arbitrary-events.ts';
import { seededRandom } from '#test/support/seeded-random.ts';
import { mutateText } from '../../schemas/events/mutate-text.ts';
import { DECODED_EVENTS } from './decoded-events.ts';

const LANE = { topic: 'events.v1', partition: 3 };
const pool = createMemoryPool(0);

function pack(texts: readonly string[]): PackedRecords {
  const records = texts.map((text, offset) => ({ offset, key: null, value: Buffer.from(text), ingestId: '' }));
  return readPacked(packRecords(records, pool), pool.release);
}

const written = (block: EventBlockBuilder): string =>
  Buffer.concat([...(block as never as { body(day: number): Iterable<Buffer> }).body(20_000)]).toString('latin1');

/** Reads and encodes each record by itself, without the module. */
function encodeAlone(texts: readonly string[], openBlock: ReturnType<typeof createEventBlocks>): string {
  const records = pack(texts);
  const block = openBlock(LANE, 1);
  for (const [offset, text] of texts.entries()) {
    const accepted = readEvent(Buffer.from(text).toString());
    if (accepted.ok) block.append({ offset, accepted, raw: records.stored(offset), ingestId: idOf(offset) });
  }
  return written(block);
}

const idOf = (offset: number) => (offset % 5 === 0 ? `id/${offset}` : '');

/** Creates a function that reads and encodes the records with the module, and checks each event. */
function createDecoding(read: EventReader) {
  const decoder = createEventDecoder(read.shapes);
  const openBlock = createEventBlocks();
  let decodedCount = 0;
  return {
    decodedCount: () => decodedCount,
    encode(texts: readonly string[], isStored: (offset: number) => boolean = () => true): string {
      const records = pack(texts);
      const block = openBlock(LANE, 1);
      for (const [offset, text] of texts.entries()) {
        const decoded = decoder.read(records, offset);
        if (decoded !== undefined) decodedCount += 1;
        const accepted = decoded ?? read(Buffer.from(text));
        // Compared first without a report, which takes ten times as long.
        const expected = readEvent(Buffer.from(text).toString());
        if (!isDeepStrictEqual(accepted, expected)) expect(accepted).toEqual(expected);
        if (!accepted.ok || !isStored(offset)) continue;
        const row = { offset, raw: records.stored(offset), ingestId: idOf(offset) };
        const rows = decoded && decoder.rows();
        if (rows === undefined) block.append({ ...row, accepted });
        else block.appendDecoded(rows, decoder.row(), row);
      }
      const bytes = written(block);
      block.release();
      return bytes;
    },
  };
}

test('random events, and random values in known shapes, give the same results and the same block', () => {
  const read = createEventReader({ learnEvery: 1, maxShapes: 300, forgetAfter: 300 });
  const decoding = createDecoding(read);
  const openBlock = createEventBlocks();
  const known = Object.values(DECODED_EVENTS);
  const value = fc.oneof(fc.nat().map(BigInt), arbU64());
  fc.assert(
    fc.property(arbEventText(), fc.nat(), arbTimestamp(), fc.array(value, { minLength: 9 }), arbText(), (...random) => {
      const [other, choice, time, numbers, name] = random;
      const text = known[choice % known.length] as string;
      read(Buffer.from(text));
      const varied = Array.from({ length: 40 }, (_, i) => {
        let next = i;
        return text
          .replace(/"timestamp":"[^"]+"/, `"timestamp":"${time}"`)
          .replace(/":\d+/g, () => `":${numbers[next++ % numbers.length]}`)
          .replaceAll('edge-gw', () => JSON.stringify(name).slice(1, -1));
      });
      const texts = [...varied, other, text, ...varied];
      expect(decoding.encode(texts)).toBe(encodeAlone(texts, openBlock));
    }),
    { numRuns: 60 },
  );
  expect(decoding.decodedCount()).toBeGreaterThan(300);
});

test.each(Object.entries(DECODED_EVENTS))('decodes each %s, and writes its columns', (_, text) => {
  const decoding = createDecoding(createEventReader({ learnEvery: 1 }));
  decoding.encode([text]);
  const texts = Array.from({ length: 300 }, (_, i) => text.replace('edge-gw', `edge-${i % 50}`));
  expect(decoding.encode(texts)).toBe(encodeAlone(texts, createEventBlocks()));
  expect(decoding.decodedCount()).toBe(300);
});

test('a changed text of a known shape is read and stored as without the module', () => {
  const read = createEventReader({ learnEvery: 1, maxShapes: 10 });
  const decoding = createDecoding(read);
  const known = Object.values(DECODED_EVENTS);
  for (const text of known) read(Buffer.from(text));
  const random = seededRandom(20_261_127);
  const openBlock = createEventBlocks();
  for (let run = 0; run < 12; run += 1) {
    const texts = Array.from({ length: 300 }, () => {
      const text = random.pick(known);
      return random.between(0, 20) === 0 ? mutateText(text, random) : text;
    });
    expect(decoding.encode(texts)).toBe(encodeAlone(texts, openBlock));
  }
  expect(decoding.decodedCount()).toBeGreaterThan(3_000);
});

test('events that are not stored are left out of the block', () => {
  const read = createEventReader({ learnEvery: 1 });
  const decoding = createDecoding(read);
  const texts = Array.from({ length: 600 }, (_, i) => fleetRecord(i).value.toString());
  for (const text of texts.slice(0, 60)) read(Buffer.from(text));
  const isStored = (offset: number) => offset % 100 !== 7 && offset !== 300;
  const openBlock = createEventBlocks();
  const alone = openBlock(LANE, 1);
  const records = pack(texts);
  for (const [offset, text] of texts.entries()) {
    const accepted = readEvent(text);
    if (accepted.ok && isStored(offset))
      alone.append({ offset, accepted, raw: records.stored(offset), ingestId: idOf(offset) });
  }
  expect(decoding.encode(texts, isStored)).toBe(written(alone));
  expect(decoding.decodedCount()).toBe(600);
});
