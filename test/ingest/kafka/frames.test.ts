import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFrames } from '#ingest/kafka/frames.ts';

function framed(body: Uint8Array): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length);
  return Buffer.concat([length, body]);
}

test('responses are the same, however their bytes are split, and in larger memory', () => {
  const bodies = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 6 });
  fc.assert(
    fc.property(bodies, fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1 }), (sent, cuts) => {
      const expected = sent.map(framed);
      const all = Buffer.concat(expected);
      const got: Buffer[] = [];
      const frames = createFrames(
        (bytes) => Buffer.alloc(bytes + 7, 0xff),
        (frame) => got.push(frame),
      );
      for (let at = 0, cut = 0; at < all.length; cut += 1) {
        const size = cuts[cut % cuts.length] as number;
        frames.add(all.subarray(at, at + size));
        at += size;
      }
      expect(got).toEqual(expected);
    }),
  );
});

test('the bytes are copied: the piece can be filled again', () => {
  const got: string[] = [];
  const frames = createFrames(Buffer.alloc, (frame) => got.push(frame.toString('latin1', 4)));
  const piece = Buffer.alloc(3);
  for (const [i, byte] of framed(Buffer.from('hello')).entries()) {
    piece[0] = byte;
    frames.add(piece.subarray(0, 1));
    piece.fill(0);
    expect(got).toEqual(i === 8 ? ['hello'] : []);
  }
});

test('a negative length is rejected', () => {
  const frames = createFrames(Buffer.alloc, () => {});
  expect(() => frames.add(Buffer.from([0xff, 0xff, 0xff, 0xff]))).toThrow(RangeError);
});
