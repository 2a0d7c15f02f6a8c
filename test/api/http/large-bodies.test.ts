import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ClickHouse, createClickHouse } from '#analytics/clickhouse/client.ts';
import { createLandingStore } from '#analytics/clickhouse/landing-store.ts';
import { migrate } from '#analytics/clickhouse/migrations/migrate.ts';
import type { LandingStore } from '#analytics/clickhouse/port.ts';
import { MAX_ISSUES } from '#api/http/api-error.ts';
import { createLaneSubmission } from '#ingest/http/submit-events.ts';
import { errorEnvelopeSchema } from '#schemas/api/error-envelope.ts';
import { MAX_LISTED_REJECTIONS } from '#schemas/rejection-codes.ts';
import { deadOffsets, openTestLane } from '#test/support/lane-fixture.ts';
import { randomName, useClickHouse } from '#test/support/use-services.ts';
import { runApp } from '../running-app.ts';

/** Regression: 32 KB of gzip ended the process, and 2 MB of plain lines blocked it for half a minute. */

const MOST = 50_000;
let clickhouse: ClickHouse;
beforeAll(async () => {
  clickhouse = createClickHouse(await useClickHouse());
  await migrate(clickhouse);
});
afterAll(() => clickhouse.close());

/** The store, which also records every dead letter that a lane processes. */
function notingStore(note: () => void): LandingStore {
  const store = createLandingStore({ clickhouse });
  return {
    ...store,
    openDeadLetters(lane, receivedMs) {
      const block = store.openDeadLetters(lane, receivedMs);
      const { append } = block;
      return Object.assign(block, {
        append: (...letter: Parameters<typeof append>) => {
          note();
          append(...letter);
        },
      });
    },
  };
}

async function standing(note = () => {}) {
  const topic = randomName('local');
  const { lane } = openTestLane(clickhouse, { topic, counted: true, store: notingStore(note) });
  const running = await runApp({ deps: { clickhouse, submitEvents: createLaneSubmission(lane) } });
  return { ...running, topic };
}

describe('a request of many tiny records', () => {
  test.each([
    ['lines', '1\n'.repeat(MOST + 1)],
    [
      'elements of an array',
      `[${Array(MOST + 1)
        .fill('[]')
        .join(',')}]`,
    ],
  ])('is rejected as a whole with one too many %s', async (_, body) => {
    const { post, topic } = await standing();
    const refused = await post('/api/events', gzipSync(body, { level: 1 }), { 'content-encoding': 'gzip' });
    expect(refused.status).toBe(413);
    expect(errorEnvelopeSchema.parse(await refused.json()).issues).toMatchObject([
      { code: 'payload_too_large', message: expect.stringContaining(`at most ${MOST} events`) },
    ]);
    expect(await deadOffsets(clickhouse, topic)).toEqual([]);
  });

  test('gets a short response, stores each record, and does not block other requests', async () => {
    const turns: string[] = [];
    const { post, get, topic } = await standing(() => {
      if (turns.at(-1) !== 'taking in') turns.push('taking in');
    });
    let answered = false;
    const answer = post('/api/events', '1\n'.repeat(MOST)).finally(() => {
      answered = true;
    });
    while (!answered) {
      expect((await get('/healthz')).status).toBe(200);
      turns.push('other request');
    }
    // Without yielding to the event loop, all records would be accepted in one go.
    expect(turns.filter((turn) => turn === 'taking in').length).toBeGreaterThan(1);

    const response = await answer;
    expect(response.status).toBe(400);
    const body = (await response.json()) as Record<'rejected' | 'issues', { index: number }[]> & object;
    expect(body).toMatchObject({ accepted: 0, rejectedTotal: MOST });
    expect(body.rejected.map(({ index }) => index)).toEqual(Array.from({ length: MAX_LISTED_REJECTIONS }, (_, i) => i));
    expect(errorEnvelopeSchema.parse(body).issues).toHaveLength(MAX_ISSUES + 1);
    expect(await deadOffsets(clickhouse, topic)).toHaveLength(MOST);
  });
});
