import { expect, test } from 'vitest';
import { detectionTools } from '#api/agents/run/detection-tools.ts';
import { ToolFailure } from '#api/agents/run/tool.ts';
import type { JsonValue } from '#api/executions/json-value.ts';
import { stringifyExact } from '#schemas/json/stringify-exact.ts';
import { accepted, detection, limited, trap, useDatabase } from '#test/analytics/clickhouse/fixture.ts';

const { clickhouse, store } = await useDatabase();
const block = store.openEvents({ topic: 'tools', partition: 0 }, Date.now());
const event = accepted(trap('nginx', 1, 2n ** 64n - 1n), 'web-1', 1_770_000_000);
block.append({ offset: 0, accepted: event, raw: Buffer.from(stringifyExact(event.event)), ingestId: '' });
await store.landEvents(block, -1);
await store.landDetections([detection()]);

function call(name: string, given: JsonValue, store = clickhouse): Promise<JsonValue> {
  const tool = detectionTools(store).find((one) => one.name === name);
  if (tool === undefined) throw new Error(`there is no tool ${name}`);
  return tool.call(given, new AbortController().signal);
}

test('numbers of 64 bits have all their digits, as hexadecimal text', async () => {
  const { data } = (await call('events.list', { hostname: 'web-1' })) as { data: { event: { event: object } }[] };
  expect(data[0]?.event.event).toMatchObject({ procname: 'nginx', ip: '0xffffffffffffffff' });
});

test.each([
  ['events.list', { q: 'nginx' }],
  ['detections.list', { q: 'nginx' }],
] as const)('%s reports an error in the request, and the run continues', async (name, given) => {
  await expect(call(name, { cursor: 'of another list' })).rejects.toThrow(ToolFailure);
  const small = limited(clickhouse, { max_memory_usage: '1000', max_untracked_memory: '1' });
  await expect(call(name, { ...given }, small)).rejects.toThrow(ToolFailure);
  await expect(call(name, { ...given }, small)).rejects.toThrow('than a query may');
});
