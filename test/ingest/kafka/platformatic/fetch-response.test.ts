import { expect, test } from 'vitest';
import { readFetchAnswer } from '#ingest/kafka/platformatic/fetch-response.ts';

const int16 = (value: number) => Buffer.from([(value >> 8) & 0xff, value & 0xff]);
const int32 = (value: number) => Buffer.concat([int16(value >> 16), int16(value)]);
const int64 = (value: number) => Buffer.concat([int32(Math.floor(value / 2 ** 32)), int32(value % 2 ** 32)]);
/** A length of variable size, one more than it says. */
const length = (value: number) =>
  value + 1 < 0x80 ? Buffer.of(value + 1) : Buffer.of(((value + 1) & 0x7f) | 0x80, (value + 1) >> 7);
const NULL = Buffer.of(0);
const NO_TAGS = Buffer.of(0);

function partition(
  number: number,
  error: number,
  batches: Buffer | undefined,
  aborted: readonly Buffer[] = [],
): Buffer {
  return Buffer.concat([
    int32(number),
    int16(error),
    int64(2 ** 40),
    int64(2 ** 40 - 1),
    int64(17),
    aborted.length === 0 ? NULL : Buffer.concat([length(aborted.length), ...aborted]),
    int32(-1),
    batches === undefined ? NULL : Buffer.concat([length(batches.length), batches]),
    // One tagged field that is not known.
    Buffer.of(1, 9, 2, 0xaa, 0xbb),
  ]);
}

const answer = (topic: Buffer, partitions: readonly Buffer[]) =>
  Buffer.concat([
    int32(0),
    int16(0),
    int32(0),
    length(1),
    topic,
    length(partitions.length),
    ...partitions,
    NO_TAGS,
    NO_TAGS,
  ]);

test('version 12 names topics, and an error of one partition leaves the others as they are', () => {
  const records = Buffer.alloc(300, 7);
  const aborted = Buffer.concat([int64(5), int64(18), NO_TAGS]);
  const name = Buffer.concat([length(6), Buffer.from('events')]);
  const body = answer(name, [partition(0, 6, undefined), partition(1, 0, records, [aborted])]);
  expect(readFetchAnswer(body, 12)).toEqual({
    error: 0,
    partitions: [
      {
        topic: 'events',
        partition: 0,
        error: 6,
        highWatermark: 2 ** 40,
        logStart: 17,
        aborted: [],
        batches: Buffer.alloc(0),
      },
      {
        topic: 'events',
        partition: 1,
        error: 0,
        highWatermark: 2 ** 40,
        logStart: 17,
        aborted: [{ producerId: 5n, firstOffset: 18 }],
        batches: records,
      },
    ],
  });
});

test('version 13 gives the ids of topics', () => {
  const id = Buffer.from('0123456789abcdef0123456789abcdef', 'hex');
  expect(readFetchAnswer(answer(id, [partition(0, 0, Buffer.alloc(0))]), 13).partitions[0]?.topic).toBe(
    '01234567-89ab-cdef-0123-456789abcdef',
  );
});

test('an answer that is cut off is refused', () => {
  const body = answer(Buffer.concat([length(1), Buffer.from('t')]), [partition(0, 0, Buffer.alloc(10))]);
  expect(() => readFetchAnswer(body.subarray(0, 40), 12)).toThrow(RangeError);
});
