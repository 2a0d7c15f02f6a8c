import { expect, test } from 'vitest';
import { detectionList } from '#api/executions/tasks/functions/detection-list.ts';
import { eventList } from '#api/executions/tasks/functions/event-list.ts';
import { accepted, detection, limited, trap, useDatabase } from '#test/analytics/clickhouse/fixture.ts';
import { taskContext } from './task-context.ts';

const { clickhouse, store } = await useDatabase();
const block = store.openEvents({ topic: 'functions', partition: 0 }, Date.now());
block.append({
  offset: 0,
  accepted: accepted(trap('nginx', 1, 1n), 'web-1', 1_770_000_000),
  raw: Buffer.from('{}'),
  ingestId: '',
});
await store.landEvents(block, -1);
await store.landDetections([detection()]);

test.each([eventList, detectionList])(
  'a list that requests too much is an error that the workflow can catch',
  async (of) => {
    const { input, run } = of({
      clickhouse: limited(clickhouse, { max_memory_usage: '1000', max_untracked_memory: '1' }),
    });
    await expect(run(input.parse({ q: 'nginx' }), taskContext())).rejects.toMatchObject({
      error: { status: 400, title: 'Validation Error', detail: expect.stringContaining('than a query may') },
    });
  },
);
