import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { Registry } from 'prom-client';
import { createClickHouse } from '#analytics/clickhouse/client.ts';
import { DEFAULT_DETECTION_SETTINGS } from '#analytics/detections/settings.ts';
import { createKeyMaking } from '#api/accounts/keys/create-key.ts';
import { createKeyIssue } from '#api/accounts/keys/issue-key.ts';
import { createKeyChanges } from '#api/accounts/keys/key-changes.ts';
import { createLastUsed } from '#api/accounts/keys/last-used.ts';
import { createKeyVerifier } from '#api/accounts/keys/verify-key.ts';
import { createHasher } from '#api/accounts/passwords/hasher.ts';
import { insertUser } from '#api/accounts/tables/users.ts';
import { buildApp } from '#api/app.ts';
import { createAudit } from '#api/audit/audit.ts';
import { buildBaseApp } from '#api/http/base-app.ts';
import { createAddressLimiter } from '#api/http/limits/address-limiter.ts';
import { createClientAddress } from '#api/http/limits/client-address.ts';
import { createPollLimiter } from '#api/http/limits/poll-limiter.ts';
import { createOutboundFetch } from '#api/outbound/outbound-fetch.ts';
import { createDatabase } from '#api/postgres/database.ts';
import { createScraperPipeline } from '#api/scrapers/pipeline.ts';
import { scraperRoutes } from '#api/scrapers/routes.ts';
import { SCRAPERS } from '#api/scrapers/scrapers.ts';
import { createRedisSharedState } from '#api/shared-state/redis.ts';
import { createApiLog } from '#api/telemetry/api-log/api-log.ts';
import type { ClickHouseService } from '../support/services/clickhouse.ts';
import { answerEach } from './asked-process.ts';

/**
 * Task of a child process that serves a scraper route as the product does, and a bare route with the same bytes and
 * none of our steps.
 */
export interface ScraperTask {
  readonly postgresUrl: string;
  readonly redisUrl: string;
  readonly clickHouse: ClickHouseService & { readonly database: string };
  readonly codeHostUrl: string;
}

export interface ScraperAnswer {
  readonly port: number;
  readonly barePort: number;
  readonly apiKey: string;
}

const ORIGIN = { ip: '127.0.0.1', userAgent: 'bench', requestId: 'bench' };

answerEach(serve);

async function serve({ postgresUrl, redisUrl, clickHouse, codeHostUrl }: ScraperTask): Promise<ScraperAnswer> {
  const registry = new Registry();
  const logger = pino({ level: 'warn' }, pino.destination(2));
  const database = createDatabase({ url: postgresUrl });
  const shared = await createRedisSharedState({ servers: { urls: [redisUrl] }, logger });
  const hasher = createHasher();
  const audit = createAudit();
  const { prepareKey, createKey } = createKeyMaking({ hasher });
  const issueKey = createKeyIssue({ database, audit, prepareKey, createKey });
  const lastUsed = createLastUsed({ database, onFailure: (error) => logger.warn({ err: error }, 'not noted') });
  const verifier = await createKeyVerifier({ database, hasher, lastUsed, changes: createKeyChanges(shared) });
  const clickhouse = createClickHouse(clickHouse);
  const apiLog = createApiLog({ clickhouse, registry, logger }, { process: 'bench' });
  const pipeline = createScraperPipeline(
    { shared, registry, logger, fetch: createOutboundFetch({ allow: ['127.0.0.1'] }) },
    { codeHost: { url: codeHostUrl } },
  );
  const app = await buildApp({
    logger,
    registry,
    components: {},
    clickhouse,
    rules: DEFAULT_DETECTION_SETTINGS,
    redrive: async ({ id }) => ({ id, outcome: 'not_found' }),
    submitEvents: async ({ items }) => ({ accepted: items.length, rejected: [], rejectedTotal: 0 }),
    requestSinks: [apiLog.record],
    guard: {
      clientAddress: createClientAddress(['127.0.0.1']),
      limits: createAddressLimiter({ shared }),
      polls: createPollLimiter({ shared }),
      isOperator: () => undefined,
      sessionCookie: 'trapline-session',
      verifyKey: verifier.verify,
      knownKey: verifier.known,
      authenticateSession: async () => undefined,
      adminKey: undefined,
      report: () => {},
    },
  });
  scraperRoutes(app, { scrapers: SCRAPERS, pipeline });
  const user = await insertUser(database, {
    username: 'bench',
    email: 'bench@example.org',
    passwordHash: null,
    emailVerified: true,
  });
  const { apiKey } = await issueKey({ userId: user.id, label: 'bench' }, { actor: 'system', origin: ORIGIN });
  const port = await listen(app);
  return { port, barePort: await listen(await bareApp(port, apiKey)), apiKey };
}

/** Returns a server with the same route and response, without the nine steps, the guard and the records. */
async function bareApp(port: number, apiKey: string) {
  const path = '/api/codehost/user';
  const url = `http://127.0.0.1:${port}${path}?username=octocat`;
  const headers = { 'x-api-key': apiKey };
  await fetch(url, { headers });
  const body = await (await fetch(url, { headers })).text();
  const logger = pino({ level: 'warn' }, pino.destination(2));
  const app = await buildBaseApp({ logger, registry: new Registry(), components: {} });
  app.get(path, async (_request, reply) => reply.type('application/json; charset=utf-8').send(body));
  return app;
}

async function listen(app: { listen: FastifyInstance['listen']; server: FastifyInstance['server'] }): Promise<number> {
  await app.listen({ host: '127.0.0.1', port: 0 });
  return (app.server.address() as AddressInfo).port;
}
