import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type InputLine, inputLines, linesOf } from '#deploy/cli/input-lines.ts';

async function read(chunks: Buffer[], maxBytes = 1000): Promise<InputLine[]> {
  const lines: InputLine[] = [];
  for await (const batch of linesOf(Readable.from(chunks), maxBytes)) lines.push(...batch);
  return lines;
}
const texts = (lines: InputLine[]): (string | undefined)[] => lines.map(({ bytes }) => bytes?.toString());

describe('lines of an input', () => {
  it.each([
    ['', []],
    ['a', ['a']],
    ['a\n', ['a']],
    ['a\r\nb', ['a', 'b']],
    ['\n\na\n', ['', '', 'a']],
    ['a\rb\n', ['a\rb']],
  ])('of %j are %j', async (text, lines) => {
    expect(texts(await read([Buffer.from(text)]))).toEqual(lines);
  });

  it('do not depend on the chunks in which bytes arrive', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: fc.constantFrom('a', 'é', '😀', ' ') }), { maxLength: 20 }),
        fc.integer({ min: 1, max: 9 }),
        async (lines, size) => {
          const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
          const chunks = [];
          for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
          const got = await read(chunks);
          expect(texts(got)).toEqual(lines);
          expect(got.map(({ line }) => line)).toEqual(lines.map((_, at) => at + 1));
        },
      ),
      { numRuns: 100 },
    );
  });

  it('above the maximum length are skipped and reported with their length', async () => {
    const [short, long, last] = await read([Buffer.from('ab\n'), Buffer.alloc(600, 'x'), Buffer.from('x\ncd')], 500);
    expect(short?.bytes?.toString()).toBe('ab');
    expect(long).toEqual({ line: 2, bytes: null, length: 601 });
    expect(last?.bytes?.toString()).toBe('cd');
  });

  it('are not buffered above the maximum length', async () => {
    function* gigabyte() {
      const chunk = Buffer.alloc(2 ** 20, 'x');
      for (let at = 0; at < 1024; at++) yield chunk;
    }
    const before = process.memoryUsage().arrayBuffers;
    let lines: readonly InputLine[] = [];
    for await (const batch of linesOf(Readable.from(gigabyte()), 2 ** 20)) lines = batch;
    expect(lines).toEqual([{ line: 1, bytes: null, length: 2 ** 30 }]);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(32 * 2 ** 20);
  });

  it.each(['/nonexistent/file', '/tmp'])('of %s cannot be read: wrong usage', async (file) => {
    const reading = inputLines(file, Readable.from([]), 10).next();
    await expect(reading).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining(`${file} can't be read`),
    });
  });
});
