import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { TOTP } from 'otpauth';
import { afterAll, beforeAll } from 'vitest';
import type { Role } from '#schemas/api/roles.ts';
import type { WatchedPage } from './chromium.ts';
import { randomName } from './random-name.ts';
import { type Mailbox, startMailbox } from './services/mailbox.ts';
import { startTrapline, type TraplineProcess } from './trapline-process.ts';
import { useClickHouse, usePostgres } from './use-services.ts';

export const ADMIN_KEY = 'admin-key-of-the-console-tests-0123456789';
const PASSWORD = 'correct horse battery staple 7';

export interface Account {
  readonly id: string;
  readonly username: string;
  readonly email: string;
  readonly password: string;
}

/** A complete Trapline (`start`, on real stores, with the bundled attack) for the browser journeys of a file. */
export interface ConsoleServer {
  readonly url: string;
  readonly mailbox: Mailbox;
  readonly process: TraplineProcess;
  /** Creates an account with this role. It registers with a mailed code, as a user does. */
  account(role: Role): Promise<Account>;
  /** Signs a page in as a new user with this role, with a second factor if the role needs one, and opens an address. */
  visit(watched: WatchedPage, role: Role, address: string): Promise<Account>;
  /** Calls a route as the operator. Rejects unless the call succeeds. Resolves to the JSON of the response. */
  operator(method: string, address: string, body?: unknown): Promise<unknown>;
}

/** Starts the server. Call it with `await` at the top of a test file. */
export async function useConsoleServer(env: Readonly<Record<string, string>> = {}): Promise<ConsoleServer> {
  const [clickhouse, postgres] = await Promise.all([useClickHouse(), usePostgres()]);
  let mailbox: Mailbox;
  let running: TraplineProcess;
  let url = '';
  let operatorKey = '';
  let accounts = 0;

  beforeAll(async () => {
    mailbox = await startMailbox();
    running = await startTrapline(['start'], {
      DATABASE_URL: postgres.url,
      CLICKHOUSE_URL: clickhouse.url,
      CLICKHOUSE_USER: clickhouse.user,
      CLICKHOUSE_PASSWORD: clickhouse.password,
      CLICKHOUSE_DATABASE: clickhouse.database,
      SMTP_URL: mailbox.url,
      MAIL_FROM: 'Trapline <codes@example.org>',
      TRUSTED_PROXIES: '127.0.0.1',
      ADMIN_KEY,
      REGISTRATION: 'open',
      ...env,
    });
    await running.logged('Ctrl-C');
    ({ url } = JSON.parse(await readFile(path.join(running.dataDir, 'server.json'), 'utf8')) as { url: string });
    operatorKey = (await readFile(path.join(running.dataDir, 'operator.key'), 'utf8')).trim();
  });
  afterAll(async () => {
    await running?.endAll();
    await mailbox?.stop();
  });

  async function call(method: string, address: string, body: unknown, headers: Record<string, string>) {
    const response = await fetch(`${url}${address}`, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${address} was answered ${response.status}: ${text}`);
    return text === '' ? undefined : (JSON.parse(text) as unknown);
  }

  const operator = (method: string, address: string, body?: unknown) =>
    call(method, address, body, { 'x-api-key': operatorKey });

  async function account(role: Role): Promise<Account> {
    const username = randomName('person').slice(0, 32);
    const email = `${username}@example.org`;
    // Each account has a different client address, because the rate limit for codes applies to each address.
    const from = { 'x-forwarded-for': `203.0.113.${1 + (accounts++ % 250)}` };
    await call('POST', '/api/auth/send-otp', { email }, from);
    const otp = await mailbox.find(email, /\b(\d{6})\b/);
    const made = (await call('POST', '/api/auth/verify-otp', { username, email, password: PASSWORD, otp }, from)) as {
      user: { id: string };
    };
    if (role !== 'user') await operator('PATCH', `/api/admin/users/${made.user.id}`, { role });
    return { id: made.user.id, username, email, password: PASSWORD };
  }

  return {
    get url() {
      return url;
    },
    get mailbox() {
      return mailbox;
    },
    get process() {
      return running;
    },
    account,
    operator,
    async visit({ page, context }, role, address) {
      const user = await account(role);
      const { email, password } = user;
      const post = async (address: string, data?: object) => {
        const answer = await context.request.post(`${url}${address}`, data === undefined ? {} : { data });
        if (!answer.ok()) throw new Error(`POST ${address} was answered ${answer.status()}: ${await answer.text()}`);
        return answer;
      };
      const signedIn = await post('/api/auth/callback/credentials', { email, password });
      // The role needs a second factor: the session opens only after enrolment.
      if (signedIn.status() === 202) {
        const { secret } = (await (await post('/api/auth/second-factor/totp')).json()) as { secret: string };
        await post('/api/auth/second-factor/totp/confirm', { code: new TOTP({ secret }).generate() });
      }
      await page.goto(`${url}${address}`);
      return user;
    },
  };
}
