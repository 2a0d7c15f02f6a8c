import pino from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { saveTriage } from '#analytics/clickhouse/read-models/detections.ts';
import { createDetectionStreams, type DetectionStreamsConfig } from '#api/detections/stream/detection-stream.ts';
import { detectionStreamRoute } from '#api/detections/stream/route.ts';
import { createStreamReader } from '#api/detections/stream/stream-reader.ts';
import { type Detection, detectionSchema } from '#schemas/detection.ts';
import { detection, useDatabase } from '#test/analytics/clickhouse/fixture.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { OPERATOR_KEY, runApp } from '../../running-app.ts';
import { analystsGuard } from '../triage/analysts.ts';

const { clickhouse, store } = await useDatabase();
const logger = pino({ level: 'silent' });

let number = 0;
const fresh = (over: Partial<Detection> = {}) =>
  detection({ id: `det_${String(++number).padStart(32, '0')}`, ...over });

interface Heard {
  readonly status: number;
  readonly detections: Detection[];
  readonly events: { readonly event: string; readonly data: unknown }[];
  lastId(): string;
  readonly comments: string[];
  ended(): boolean;
  leave(): void;
}

/** Reads a stream as a browser does. */
async function follow(url: string, path = '', headers: Record<string, string> = {}): Promise<Heard> {
  const leaving = new AbortController();
  const response = await fetch(`${url}/api/detections/stream${path}`, {
    headers: { 'x-api-key': OPERATOR_KEY, ...headers },
    signal: leaving.signal,
  });
  const detections: Detection[] = [];
  const events: { event: string; data: unknown }[] = [];
  const comments: string[] = [];
  let id = '';
  let over = false;
  const read = async () => {
    const decoder = new TextDecoder();
    let held = '';
    for await (const chunk of response.body ?? []) {
      held += decoder.decode(chunk as Uint8Array, { stream: true });
      for (let at = held.indexOf('\n\n'); at >= 0; at = held.indexOf('\n\n')) {
        const fields = new Map<string, string>();
        for (const line of held.slice(0, at).split('\n')) {
          if (line.startsWith(':')) comments.push(line);
          else fields.set(line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2));
        }
        held = held.slice(at + 2);
        id = fields.get('id') ?? id;
        const data = fields.get('data');
        if (data === undefined) continue;
        const event = fields.get('event') ?? 'message';
        if (event === 'detection') detections.push(detectionSchema.parse(JSON.parse(data)));
        else events.push({ event, data: JSON.parse(data) });
      }
    }
  };
  const done = response.ok ? read() : Promise.resolve();
  done
    .catch(() => {})
    .finally(() => {
      over = true;
    });
  const leave = () => leaving.abort();
  onTestFinished(leave);
  const heard = { status: response.status, detections, events, comments, lastId: () => id, leave };
  if (response.ok) await waitFor('a place to go on from', () => id !== '' || over);
  return { ...heard, ended: () => over };
}

/** Another process, which shares only ClickHouse. */
async function standing(config: DetectionStreamsConfig = {}, taken = new Set<string>()) {
  const guard = analystsGuard(taken);
  const running = await runApp({
    deps: { clickhouse, guard },
    options: { closeGraceMs: 1_000 },
    prepare: (app) =>
      app.register(
        async (scope) =>
          detectionStreamRoute(scope, { streams: createDetectionStreams({ clickhouse, logger }, config) }),
        {
          prefix: '/own',
        },
      ),
  });
  return { ...running, own: `${running.url}/own` };
}

const ids = (detections: readonly Detection[]) => detections.map(({ id, revision }) => `${id.slice(-4)}/${revision}`);

test('sends new and grown detections, but not silenced ones', async () => {
  const { url } = await standing();
  const heard = await follow(url);
  const one = fresh();
  await store.landDetections([one, fresh({ exception: 'exc' })]);
  await waitFor('it', () => heard.detections.length === 1);
  await store.landDetections([{ ...one, revision: 7 }]);
  await waitFor('its growth', () => heard.detections.length === 2);
  expect(ids(heard.detections)).toEqual(ids([one, { ...one, revision: 7 }]));
  expect(heard.detections[1]?.values).toEqual(one.values);
});

test('applies the filters', async () => {
  const { url } = await standing();
  const heard = await follow(url, '?severity=critical&hostname=wanted');
  await store.landDetections([
    fresh({ hostname: 'wanted' }),
    fresh({ severity: 'critical' }),
    fresh({ hostname: 'wanted', severity: 'critical', procname: 'this' }),
  ]);
  await waitFor('it', () => heard.detections.length > 0);
  expect(heard.detections.map(({ procname }) => procname)).toEqual(['this']);
});

test('sends decisions of analysts, also to reconnecting readers, but not silenced detections', async () => {
  const { url } = await standing();
  const [one, silenced] = [fresh({ hostname: 'decided' }), fresh({ hostname: 'decided', exception: 'exc' })];
  await store.landDetections([one, silenced]);
  const heard = await follow(url, '?hostname=decided');
  const place = heard.lastId();
  const decide = (id: string, status: Detection['status'], assignee: string) =>
    saveTriage(clickhouse, id, { status, verdict: null, assignee, note: null }, Date.now());
  await decide(silenced.id, 'closed', 'ann');
  await decide(one.id, 'acknowledged', 'ann');
  await waitFor('it', () => heard.events.length === 1);
  await decide(one.id, 'closed', 'ben');
  await waitFor('the second', () => heard.events.length === 2);
  expect(heard.events).toMatchObject([
    { event: 'decision', data: { id: one.id, status: 'acknowledged', assignee: 'ann' } },
    { event: 'decision', data: { id: one.id, status: 'closed', assignee: 'ben' } },
  ]);
  const back = await follow(url, '?hostname=decided', { 'last-event-id': place });
  await waitFor('what was decided', () => back.events.some(({ event }) => event === 'decision'));
  expect(back.events).toMatchObject([{ event: 'decision', data: { id: one.id, status: 'closed' } }]);
});

test('a reader that reconnects to another process misses nothing', async () => {
  const [one, two] = [await standing(), await standing()];
  const first = await follow(one.url);
  const before = fresh();
  await store.landDetections([before]);
  await waitFor('the first', () => first.detections.length === 1);
  const place = first.lastId();
  first.leave();
  const missed = Array.from({ length: 30 }, () => fresh());
  await store.landDetections(missed);
  const second = await follow(two.url, '', { 'last-event-id': place });
  await waitFor('what was missed', () => missed.every(({ id }) => second.detections.some((d) => d.id === id)));
  const live = fresh();
  await store.landDetections([live]);
  await waitFor('what is new', () => second.detections.some(({ id }) => id === live.id));
  const received = ids(second.detections);
  expect(new Set(received).size).toBe(received.length);
  expect(Number(second.lastId())).toBeGreaterThanOrEqual(Number(place));
});

test('tolerates a process clock that is an hour ahead', async () => {
  const hourAhead = Date.now() + 3_600_000;
  const clock = vi.spyOn(Date, 'now').mockReturnValue(hourAhead);
  onTestFinished(() => clock.mockRestore());
  const { url } = await standing();
  const heard = await follow(url, '?hostname=clock');
  const place = heard.lastId();
  clock.mockRestore();
  expect(Number(place)).toBeLessThan(hourAhead - 1_800_000);
  const one = fresh({ hostname: 'clock' });
  await store.landDetections([one]);
  await waitFor('it', () => heard.detections.length === 1);
  await saveTriage(clickhouse, one.id, { status: 'closed', verdict: null, assignee: 'ann', note: null }, Date.now());
  await waitFor('the decision', () => heard.events.length === 1);
});

test('notifies a client that was disconnected for too long', async () => {
  const { url } = await standing();
  const heard = await follow(url, '?lastEventId=1000');
  await waitFor('the news', () => heard.events.some(({ event }) => event === 'missed'));
  expect((await follow(url, '?lastEventId=yesterday')).status).toBe(400);
  expect((await follow(url, '', { 'last-event-id': 'yesterday' })).status).toBe(400);
  expect((await follow(url, '', { 'last-event-id': '' })).status).toBe(200);
});

test('revoking a key ends the stream', async () => {
  const taken = new Set<string>();
  const { own } = await standing({ recheckMs: 20 }, taken);
  const heard = await follow(own, '', { 'x-api-key': 'reader' });
  expect(heard.status).toBe(200);
  taken.add('reader');
  await waitFor('the end', () => heard.ended());
  expect(heard.events).toMatchObject([{ event: 'end' }]);
  expect((await follow(own, '', { 'x-api-key': 'reader' })).status).toBe(401);
});

test('limits readers, sends them heartbeats, and frees the slot of a disconnected one', async () => {
  const { own } = await standing({ maxOfOwner: 2, maxReaders: 3, heartbeatMs: 20 });
  const ann = { 'x-api-key': 'ann' };
  const first = await follow(own, '', ann);
  await follow(own, '', ann);
  expect((await follow(own, '', ann)).status).toBe(429);
  expect((await follow(own, '', { 'x-api-key': 'bob' })).status).toBe(200);
  expect((await follow(own, '', { 'x-api-key': 'reader' })).status).toBe(429);
  await waitFor('heartbeats', () => first.comments.length > 3);
  first.leave();
  await waitFor('room', async () => {
    const again = await follow(own, '', ann);
    if (again.status === 200) again.leave();
    return again.status === 200;
  });
});

test('closing the server ends streams', async () => {
  const { url, app } = await standing();
  const heard = await follow(url);
  await app.close();
  await waitFor('the end', () => heard.ended());
  expect(heard.events).toMatchObject([{ event: 'end', data: { reason: 'the server is shutting down' } }]);
});

test('disconnects slow readers', () => {
  const reader = createStreamReader(() => true, { maxWaitingBytes: 10_000 });
  for (let i = 0; i < 100 && !reader.body.destroyed; i++) reader.send([fresh()], i);
  expect(reader.body.destroyed).toBe(true);
  reader.send([fresh()], 1);
  reader.end('over');
});

test('sends detections one after another as they are stored', async () => {
  const { url } = await standing();
  const heard = await follow(url);
  const landed: Detection[] = [];
  for (let i = 0; i < 15; i++) {
    landed.push(fresh());
    await store.landDetections(landed.slice(-1));
    await waitFor('it', () => heard.detections.length === landed.length, { everyMs: 5 });
  }
  expect(ids(heard.detections)).toEqual(ids(landed));
});
