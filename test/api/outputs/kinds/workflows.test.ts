import { expect, test } from 'vitest';
import { outputKind } from '#api/outputs/kind-registry.ts';
import type { OutputMessage } from '#api/outputs/port.ts';
import { usePostgres } from '#test/support/use-services.ts';
import { soon } from '../deliveries.ts';
import { message, reachOf } from '../fixture.ts';

const { database } = await usePostgres();

test('workflows get each closing of a detection, without repeats', async () => {
  const outputId = 'out_1';
  const output = outputKind('workflows').open({ reach: reachOf(database), outputId, settings: {}, secrets: {} });
  const first = message({ verdict: 'benign' }, 'closed');
  const again: OutputMessage = {
    ...first,
    seq: 2,
    at: new Date('2026-03-01T13:00:00Z'),
    detection: { ...first.detection, verdict: 'true_positive' },
  };
  for (const one of [first, again, first]) await output.deliver([one], soon());
  const rows = await database
    .selectFrom('executionEvents')
    .select('event')
    .where('source', '=', `trapline/outputs/${outputId}`)
    .orderBy('seq')
    .execute();
  expect(rows.map(({ event }) => event)).toMatchObject([
    { type: 'trapline.output.detection.closed', data: { verdict: 'benign' } },
    { type: 'trapline.output.detection.closed', data: { verdict: 'true_positive' } },
  ]);
});
