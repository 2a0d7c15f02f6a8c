import { expect, test } from 'vitest';
import { deliveryWords } from '#dashboards/console/src/pages/outputs/delivery-words.ts';

type Deliveries = Parameters<typeof deliveryWords>[0];
const fresh: Deliveries = {
  state: 'idle',
  lag: { messages: 0, oldestAt: null },
  delivered: 0,
  deadLetters: { data: [], nextCursor: null },
};
const letter = (state: 'refused' | 'delivered') => ({
  data: [
    {
      id: 1,
      detection: 'det_1',
      revision: 1,
      cause: 'opened' as const,
      reason: 'HTTP 422',
      state,
      at: '2026-01-01T00:00:00.000Z',
    },
  ],
  nextCursor: null,
});

test('an output without messages is idle, not delivered', () => {
  expect(deliveryWords(fresh)).toEqual({ text: 'Idle', tone: 'neutral' });
  expect(deliveryWords({ ...fresh, delivered: 3 }).text).toBe('Delivered');
});

test('failed deliveries are shown until they are delivered', () => {
  expect(deliveryWords({ ...fresh, deadLetters: letter('refused') })).toEqual({ text: 'Failed', tone: 'bad' });
  expect(deliveryWords({ ...fresh, delivered: 3, deadLetters: letter('refused') }).tone).toBe('warning');
  expect(deliveryWords({ ...fresh, delivered: 4, deadLetters: letter('delivered') }).text).toBe('Delivered');
});

test('shows waiting, delivering and retrying before delivered', () => {
  const waiting = { ...fresh, lag: { messages: 2, oldestAt: '2026-01-01T00:00:00.000Z' } };
  expect(deliveryWords(waiting).text).toBe('Pending');
  expect(deliveryWords({ ...waiting, state: 'delivering' }).text).toBe('Delivering');
  expect(deliveryWords({ ...waiting, state: 'retrying' }).tone).toBe('bad');
  expect(deliveryWords({ ...waiting, state: 'paused' }).text).toBe('Paused');
});
