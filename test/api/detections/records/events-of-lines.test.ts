import { expect, test } from 'vitest';
import { eventsOfLines } from '#api/detections/records/events-of-lines.ts';

const EVENTS = [
  { topic: 'events.v1', raw: '{"version":"V1","event":{"type":"LinuxKernelTrap","ip":18446744073709551615}}', hex: {} },
  { topic: ',"hex":{,"event":', raw: '{"note":"ünï 🙂 \\u0000","event":{}}', hex: { ip: '0x401233', sp: '0x0' } },
  { topic: 'local.http', raw: `{"long":"${'x'.repeat(300)}"}`, hex: { ip: '0xffffffffffffffff' } },
].map(({ topic, raw, hex }, offset) => {
  const head = { id: `${topic}~0~${offset}`, topic, partition: 0, offset, received: '2026-01-01T00:00:00.000Z' };
  const around = JSON.stringify({ ...head, time: '2026-01-01T00:00:00.000000000Z', hex });
  return { listed: { ...head, raw }, line: `${around.slice(0, -1)},"event":${raw}}` };
});

async function* cut(text: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < text.length; at += size) yield text.subarray(at, at + size);
}

test.each([1, 7, 100, 10_000])('parses events from lines in chunks of %d bytes', async (size) => {
  const lines = EVENTS.map(({ line }) => line).join('\n');
  for (const text of [lines, `${lines}\n`])
    expect((await Array.fromAsync(eventsOfLines(cut(Buffer.from(text), size)))).flat()).toEqual(
      EVENTS.map(({ listed }) => listed),
    );
});

test('rejects a line that is not an event', async () => {
  expect(await Array.fromAsync(eventsOfLines(cut(Buffer.alloc(0), 1)))).toEqual([]);
});
