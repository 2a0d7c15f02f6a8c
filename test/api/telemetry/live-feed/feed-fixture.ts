import type { AddressInfo } from 'node:net';
import { Registry } from 'prom-client';
import { onTestFinished } from 'vitest';
import WebSocket from 'ws';
import { sessionCookie } from '#api/accounts/sessions/session-cookie.ts';
import { createSessions } from '#api/accounts/sessions/sessions.ts';
import type { CertificateFiles } from '#api/http/tls/certificate.ts';
import type { Database } from '#api/postgres/database.ts';
import type { SharedState } from '#api/shared-state/port.ts';
import { createFeedSockets, type FeedSocketsConfig } from '#api/telemetry/live-feed/feed-sockets.ts';
import { createLiveFeed, type LiveFeedConfig } from '#api/telemetry/live-feed/live-feed.ts';
import type { FeedMessage } from '#api/telemetry/live-feed/messages.ts';
import { socketRoute } from '#api/telemetry/live-feed/routes.ts';
import { operatorGuard, runApp } from '#test/api/running-app.ts';
import { openRedisState } from '#test/api/shared-state/redis-state.ts';
import { randomName } from '#test/support/random-name.ts';
import { waitFor } from '#test/support/wait-for.ts';

export const ORIGIN = 'https://console.example.org';
const SECRET = 's'.repeat(32);

export interface FeedOptions {
  readonly feed?: LiveFeedConfig;
  readonly sockets?: FeedSocketsConfig;
  readonly allowedOrigins?: readonly string[] | undefined;
  readonly tls?: CertificateFiles;
}

/** A server with the live feed, as one process of an installation. */
export async function startFeedServer(database: Database, shared: SharedState, options: FeedOptions = {}) {
  const registry = new Registry();
  const sessions = createSessions({ database }, { secrets: [SECRET] });
  const feed = await createLiveFeed({ channels: shared.channels }, options.feed);
  const sockets = createFeedSockets({ feed, channels: shared.channels, registry }, options.sockets);
  const guard = { ...operatorGuard(), authenticateSession: (cookie: string) => sessions.authenticate(cookie) };
  const { app } = await runApp({
    deps: { registry, guard },
    options: { tls: options.tls },
    prepare: (server) =>
      void server.register((scope) =>
        socketRoute(scope as typeof server, {
          sessionCookie: sessionCookie({ secure: false }),
          sockets,
          authenticateSession: guard.authenticateSession,
          allowedOrigins: 'allowedOrigins' in options ? options.allowedOrigins : [ORIGIN],
        }),
      ),
  });
  onTestFinished(() => feed.close());
  const { port } = app.server.address() as AddressInfo;
  return { app, feed, sockets, sessions, registry, port, url: `ws://127.0.0.1:${port}/api/socket` };
}
export type FeedServer = Awaited<ReturnType<typeof startFeedServer>>;

/** Shared state on the Redis of the test run, closed at the end of the test. */
export async function openShared(redis: { url: string; prefix: string; commandMs?: number }): Promise<SharedState> {
  const shared = await openRedisState(redis);
  onTestFinished(() => shared.close());
  return shared;
}

/** Signs in a new user with this role. */
export async function signIn(
  database: Database,
  { sessions }: FeedServer,
  role: 'user' | 'analyst' | 'admin' = 'admin',
) {
  const name = randomName('user');
  const user = await database
    .insertInto('users')
    .values({ username: name, email: `${name}@example.org`, passwordHash: null, role })
    .returning(['id', 'role'])
    .executeTakeFirstOrThrow();
  const session = await sessions.open(database, user, { ip: '127.0.0.1', userAgent: 'test', requestId: 'request-1' });
  return { userId: user.id, sessionId: session.sessionId, cookie: `trapline-session=${session.token}` };
}

/** Opens the feed and resolves to the open socket, or to the status of the rejection. */
export async function watch(url: string, headers: Record<string, string>, ca?: string) {
  const socket = new WebSocket(url, { headers, ...(ca === undefined ? {} : { ca }) });
  const messages: FeedMessage[] = [];
  const closed = Promise.withResolvers<number>();
  const opened = Promise.withResolvers<number>();
  socket.on('message', (data) => messages.push(JSON.parse(String(data)) as FeedMessage));
  socket.on('close', (code) => closed.resolve(code));
  socket.on('error', () => {});
  socket.on('open', () => opened.resolve(101));
  socket.on('unexpected-response', (request, response) => {
    opened.resolve(response.statusCode ?? 0);
    request.destroy();
  });
  onTestFinished(() => socket.terminate());
  const status = await opened.promise;
  return {
    status,
    socket,
    messages,
    closed: closed.promise,
    heard: (count: number) => waitFor(`${count} messages`, () => messages.length >= count && messages),
  };
}
