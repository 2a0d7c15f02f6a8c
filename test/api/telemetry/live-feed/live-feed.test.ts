import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { detectionMessage, requestMessage, securityMessage } from '#api/telemetry/live-feed/messages.ts';
import { detection } from '#test/analytics/formats/samples.ts';
import { OPERATOR_KEY } from '#test/api/running-app.ts';
import { requestRecord } from '#test/api/telemetry/api-log/request-records.ts';
import { makeCertificates } from '#test/support/services/certificates.ts';
import { startRedis } from '#test/support/services/redis.ts';
import { usePostgres, useRedis } from '#test/support/use-services.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { ORIGIN, openShared, signIn, startFeedServer, watch } from './feed-fixture.ts';

const { database } = await usePostgres();
const redis = await useRedis();
const request = (requestId: string) => requestMessage(requestRecord({ requestId }));
const open = async (options: Parameters<typeof startFeedServer>[2] = {}) =>
  startFeedServer(database, await openShared(redis), options);

test('delivers every kind of message unchanged', async () => {
  const server = await open();
  const { cookie } = await signIn(database, server);
  const reader = await watch(server.url, { cookie, origin: ORIGIN });
  expect(reader.status).toBe(101);
  const published = [
    request('r-1'),
    detectionMessage(detection, new Date('2026-02-02T02:40:00Z')),
    securityMessage({
      id: 'sec_1',
      kind: 'key-guessing',
      origin: { ip: '203.0.113.9', userAgent: 'x', requestId: 'r-2' },
      actor: 'anonymous',
      subject: '/api/codehost/user',
      count: 3,
      targets: 0,
      firstAt: new Date('2026-02-02T02:40:00Z'),
      lastAt: new Date('2026-02-02T02:41:00Z'),
    }),
    { type: 'execution', at: '2026-02-02T02:41:00.000Z', id: 'exe_1', kind: 'workflow', status: 'running' } as const,
  ];
  for (const message of published) server.feed.publish(message);
  expect(await reader.heard(4)).toEqual(JSON.parse(JSON.stringify(published)));
});

test('serves over TLS too, and ends with the server', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trapline-feed-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const { ca } = await makeCertificates(folder);
  const server = await open({ tls: { certFile: join(folder, 'server.crt'), keyFile: join(folder, 'server.key') } });
  const { cookie } = await signIn(database, server);
  const address = await server.app.listenTls?.({ host: '127.0.0.1', port: 0 });
  const url = `wss://127.0.0.1:${address?.port}`;
  const reader = await watch(`${url}/api/socket`, { cookie, origin: ORIGIN }, ca);
  expect(reader.status).toBe(101);
  server.feed.publish(request('r-1'));
  expect(await reader.heard(1)).toMatchObject([{ type: 'request' }]);
  expect((await watch(`${url}/api/socket`, { origin: ORIGIN }, ca)).status).toBe(401);
  expect((await watch(`${url}/healthz`, { cookie, origin: ORIGIN }, ca)).status).toBe(200);
  await server.app.close();
  await reader.closed;
});

describe('access', () => {
  test.each([
    ['an administrator', 'admin', 101],
    ['an analyst', 'analyst', 403],
    ['a user', 'user', 403],
  ] as const)('%s', async (_, role, status) => {
    const server = await open();
    const { cookie } = await signIn(database, server, role);
    expect((await watch(server.url, { cookie, origin: ORIGIN })).status).toBe(status);
  });

  test.each([
    ['an anonymous caller', {}, 401],
    ['a caller with a made-up cookie', { cookie: 'trapline-session=x.y.z' }, 401],
    ['the operator, who has no session', { 'x-api-key': OPERATOR_KEY }, 403],
  ])('%s', async (_, headers, status) => {
    const server = await open();
    expect((await watch(server.url, { ...(headers as Record<string, string>), origin: ORIGIN })).status).toBe(status);
  });

  test.each([
    ['an allowed page', ORIGIN, [ORIGIN], 101],
    ['a page of another site', 'https://evil.example', [ORIGIN], 403],
    ['a page without an origin', 'null', [ORIGIN], 403],
    ['a page whose origin begins like the allowed one', `${ORIGIN}.evil.example`, [ORIGIN], 403],
    ['a page over plain http', ORIGIN.replace('https', 'http'), [ORIGIN], 403],
    ['a page of this server when none is configured', 'own', undefined, 101],
    ['another page when none is configured', 'https://evil.example', undefined, 403],
  ])('from %s', async (_, origin, allowedOrigins, status) => {
    const server = await open({ allowedOrigins });
    const { cookie } = await signIn(database, server);
    const given = origin === 'own' ? `http://127.0.0.1:${server.port}` : origin;
    expect((await watch(server.url, { cookie, origin: given })).status).toBe(status);
  });

  test('limits the number of connections', async () => {
    const server = await open({ sockets: { maxSockets: 2 } });
    const { cookie } = await signIn(database, server);
    const first = await watch(server.url, { cookie });
    expect([first.status, (await watch(server.url, { cookie })).status]).toEqual([101, 101]);
    expect((await watch(server.url, { cookie })).status).toBe(503);
    first.socket.close();
    await waitFor('room', () => server.sockets.hasRoom());
    expect((await watch(server.url, { cookie })).status).toBe(101);
  });

  test('a plain request gets 400, and one for another protocol is answered without it', async () => {
    const server = await open();
    const { cookie } = await signIn(database, server);
    const plain = await fetch(server.url.replace('ws', 'http'), { headers: { cookie } });
    expect(plain.status).toBe(400);
    const socket = connect(server.port, '127.0.0.1');
    socket.end('GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: Upgrade, close\r\nupgrade: h2c\r\n\r\n');
    let answer = '';
    for await (const chunk of socket) answer += chunk;
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK/);
  });
});

describe('a connection ends', () => {
  const changed = async (how: 'sign-out' | 'role' | 'disabled', notify: boolean) => {
    const server = await open({ sockets: { recheckMs: notify ? 60_000 : 30 } });
    const { cookie, userId, sessionId } = await signIn(database, server);
    const reader = await watch(server.url, { cookie });
    expect(reader.status).toBe(101);
    if (how === 'sign-out') await server.sessions.end(sessionId);
    else {
      const change = how === 'role' ? { role: 'analyst' as const } : { disabled: true };
      await database.updateTable('users').set(change).where('id', '=', userId).execute();
    }
    if (notify) {
      const other = await openShared(redis);
      await other.channels.publish(
        how === 'sign-out' ? 'sessions.ended' : 'roles.changed',
        how === 'sign-out' ? sessionId : userId,
      );
    }
    expect(await reader.closed).toBe(1008);
  };

  test('when the user signs out, immediately after a notification', () => changed('sign-out', true));
  test('when the role is lost, immediately after a notification', () => changed('role', true));
  test('when the role is lost, at the next check without a notification', () => changed('role', false));
  test('when the account is disabled', () => changed('disabled', false));

  test('but not for other users, or after a change to another sufficient role', async () => {
    const server = await open({ sockets: { recheckMs: 20 } });
    const mine = await signIn(database, server);
    const others = await signIn(database, server);
    const reader = await watch(server.url, { cookie: mine.cookie });
    const gone = await watch(server.url, { cookie: others.cookie });
    await server.sessions.end(others.sessionId);
    expect(await gone.closed).toBe(1008);
    server.feed.publish(request('still-there'));
    expect(await reader.heard(1)).toMatchObject([{ requestId: 'still-there' }]);
  });

  test('when the server closes, without waiting for an unresponsive reader', async () => {
    const server = await open();
    const { cookie } = await signIn(database, server);
    const reader = await watch(server.url, { cookie });
    const deaf = await watch(server.url, { cookie });
    deaf.socket.pause();
    await server.app.close();
    expect(await reader.closed).toBe(1001);
  });

  test('when a peer shows no activity', async () => {
    // Time for a live peer to respond, also on a machine that stalls for a while.
    const server = await open({ sockets: { heartbeatMs: 3_000 } });
    const { cookie } = await signIn(database, server);
    const dead = await watch(server.url, { cookie });
    const alive = await watch(server.url, { cookie });
    dead.socket.pause();
    await waitFor('the dead one to be cut off', async () =>
      (await server.registry.metrics()).includes('trapline_live_feed_sockets 1'),
    );
    expect(alive.socket.readyState).toBe(alive.socket.OPEN);
  });
});

test('a slow reader misses messages, gets their number, and does not affect others', async () => {
  const server = await open({ sockets: { maxWaitingBytes: 64 * 1024 }, feed: { lingerMs: 1, maxTogether: 100_000 } });
  const { cookie } = await signIn(database, server);
  const slow = await watch(server.url, { cookie });
  const quick = await watch(server.url, { cookie });
  slow.socket.pause();
  // More than the system buffers hold, in portions that fit into ours.
  const path = 'x'.repeat(20_000);
  const count = 600;
  for (let i = 1; i <= count; i++) {
    server.feed.publish(requestMessage(requestRecord({ requestId: `n-${i}`, path })));
    if (i % 3 === 0) await waitFor('the quick one', () => quick.messages.length === i, { everyMs: 1 });
  }
  slow.socket.resume();
  await waitFor('the note', () => {
    server.feed.publish(request('after'));
    return slow.messages.some(({ type }) => type === 'dropped');
  });
  const note = slow.messages.findIndex(({ type }) => type === 'dropped');
  const missed = slow.messages[note];
  const received = slow.messages.slice(0, note).length;
  expect(missed).toMatchObject({ type: 'dropped', count: expect.any(Number) });
  expect(received + (missed as { count: number }).count).toBeGreaterThanOrEqual(count);
  expect(await server.registry.metrics()).toMatch(/trapline_live_feed_dropped_total [1-9]/);
});

test('a process knows whether readers exist: none, local or remote', async () => {
  const here = await open();
  const there = await open();
  expect([here.feed.isWatched(), there.feed.isWatched()]).toEqual([false, false]);
  const { cookie } = await signIn(database, here);
  await watch(here.url, { cookie });
  expect(here.feed.isWatched()).toBe(true);
  await waitFor('the other process to be notified', () => there.feed.isWatched());
});

test('delivers messages of one process to another', async () => {
  const here = await open();
  const there = await open();
  const { cookie } = await signIn(database, here);
  const reader = await watch(here.url, { cookie });
  await waitFor('the other process to know of the reader', () => {
    there.feed.publish(request('across'));
    return reader.messages.length > 0;
  });
  expect(reader.messages[0]).toMatchObject({ type: 'request', requestId: 'across' });
});

test('while Redis is unavailable a process serves its own readers, and afterwards those of others again', async () => {
  const service = await startRedis();
  onTestFinished(() => service.stop());
  // A subscription waits this long for Redis before it continues without it.
  const own = { url: service.url, prefix: 'feed:', commandMs: 1_000 };
  const here = await startFeedServer(database, await openShared(own), { feed: { announceMs: 50 } });
  const there = await startFeedServer(database, await openShared(own), { feed: { announceMs: 50 } });
  const { cookie } = await signIn(database, here);
  const reader = await watch(here.url, { cookie });
  await service.kill9();
  await waitFor('a message of its own', () => {
    here.feed.publish(request('alone'));
    return reader.messages.length > 0;
  });
  await service.restart();
  await waitFor('a message of the other', () => {
    there.feed.publish(request('together'));
    return reader.messages.some((message) => message.type === 'request' && message.requestId === 'together');
  });
});
