import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { Registry } from 'prom-client';
import { createClickHouse } from '#analytics/clickhouse/client.ts';
import { DEFAULT_DETECTION_SETTINGS } from '#analytics/detections/settings.ts';
import { createKeyMaking } from '#api/accounts/keys/create-key.ts';
import { createKeyIssue } from '#api/accounts/keys/issue-key.ts';
import { createKeyChanges } from '#api/accounts/keys/key-changes.ts';
import { createKeyHasher } from '#api/accounts/keys/key-hasher.ts';
import { createLastUsed } from '#api/accounts/keys/last-used.ts';
import { createKeyRevocation } from '#api/accounts/keys/revoke-key.ts';
import { createKeyVerifier } from '#api/accounts/keys/verify-key.ts';
import { buildApp } from '#api/app.ts';
import { createAudit } from '#api/audit/audit.ts';
import { createAddressLimiter } from '#api/http/limits/address-limiter.ts';
import { createClientAddress } from '#api/http/limits/client-address.ts';
import { createPollLimiter } from '#api/http/limits/poll-limiter.ts';
import { createDatabase } from '#api/postgres/database.ts';
import { createRedisSharedState } from '#api/shared-state/redis.ts';
import { answerEach } from './asked-process.ts';
import { openLane } from './http-load.ts';

/** Tasks of a child process that serves requests with API keys, and creates, uses and revokes keys on request. */
export type KeysTask =
  | { readonly task: 'serve'; readonly postgresUrl: string; readonly redisUrl: string }
  | { readonly task: 'make'; readonly userId: string; readonly keys: number }
  | { readonly task: 'use'; readonly port: number; readonly apiKeys: readonly string[] }
  | { readonly task: 'revoke'; readonly keyId: string };

export type KeysAnswer =
  | { readonly answer: 'serve'; readonly port: number }
  | { readonly answer: 'make'; readonly keys: readonly { readonly apiKey: string; readonly keyId: string }[] }
  | { readonly answer: 'use'; readonly times: readonly number[] }
  | { readonly answer: 'revoke' };

type Serving = Awaited<ReturnType<typeof serve>>;

const ORIGIN = { ip: '127.0.0.1', userAgent: 'bench', requestId: 'bench' };
const BY = { actor: 'system', origin: ORIGIN };
let serving: Serving | undefined;

answerEach(answerTo);

async function answerTo(task: KeysTask): Promise<KeysAnswer> {
  if (task.task === 'serve') {
    serving = await serve(task.postgresUrl, task.redisUrl);
    return { answer: 'serve', port: serving.port };
  }
  if (task.task === 'use') return { answer: 'use', times: await useAtOnce(task.port, task.apiKeys) };
  if (serving === undefined) throw new Error('nothing is served yet');
  const { issueKey, revokeKey } = serving;
  if (task.task === 'revoke') {
    await revokeKey({ keyId: task.keyId, ...BY });
    return { answer: 'revoke' };
  }
  const labels = Array.from({ length: task.keys }, (_, at) => `key ${at}`);
  const keys = await Promise.all(labels.map((label) => issueKey({ userId: task.userId, label }, BY)));
  return { answer: 'make', keys: keys.map(({ apiKey, keyId }) => ({ apiKey, keyId })) };
}

/**
 * Sends a request with each key at once. This runs in the child process, because so many requests keep a process busy
 * and would delay the clock of the measuring process. It uses plain sockets, because `fetch` takes more processor time
 * than the server needs for the requests.
 */
async function useAtOnce(port: number, apiKeys: readonly string[]): Promise<number[]> {
  const begun = performance.now();
  return Promise.all(
    apiKeys.map(async (apiKey, at) => {
      const lane = await openLane(port, 200);
      try {
        const address = `172.16.${at >> 8}.${at & 255}`;
        await lane.ask(
          `GET /keyed HTTP/1.1\r\nhost: bench\r\nx-forwarded-for: ${address}\r\nx-api-key: ${apiKey}\r\n\r\n`,
        );
        return performance.now() - begun;
      } finally {
        lane.close();
      }
    }),
  );
}

async function serve(postgresUrl: string, redisUrl: string) {
  const logger = pino({ level: 'silent' });
  const database = createDatabase({ url: postgresUrl });
  const shared = await createRedisSharedState({ servers: { urls: [redisUrl] }, logger });
  const hasher = createKeyHasher();
  const audit = createAudit();
  const changes = createKeyChanges(shared);
  const lastUsed = createLastUsed({ database, onFailure: () => {} });
  const verifier = await createKeyVerifier({ database, hasher, changes, lastUsed });
  const app = await buildApp({
    logger,
    registry: new Registry(),
    components: {},
    // The routes of this benchmark send no queries to ClickHouse.
    clickhouse: createClickHouse({ url: 'http://127.0.0.1:1', user: 'none', password: '', database: 'none' }),
    rules: DEFAULT_DETECTION_SETTINGS,
    redrive: async ({ id }) => ({ id, outcome: 'not_found' }),
    submitEvents: async ({ items }) => ({ accepted: items.length, rejected: [], rejectedTotal: 0 }),
    guard: {
      clientAddress: createClientAddress(['127.0.0.1']),
      limits: createAddressLimiter({ shared }),
      polls: createPollLimiter({ shared }),
      isOperator: () => undefined,
      sessionCookie: 'trapline-session',
      verifyKey: verifier.verify,
      authenticateSession: async () => undefined,
      adminKey: undefined,
      report: () => {},
    },
  });
  app.get('/keyed', { config: { access: { by: 'key', scope: 'scrapers' } } }, async () => ({ ok: true }));
  await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    port: (app.server.address() as AddressInfo).port,
    issueKey: createKeyIssue({ database, audit, ...createKeyMaking({ hasher }) }),
    revokeKey: createKeyRevocation({ database, audit, changes }),
  };
}
