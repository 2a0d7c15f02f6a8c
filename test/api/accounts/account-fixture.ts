import { createAccounts } from '#api/accounts/accounts.ts';
import { createKeyMaking } from '#api/accounts/keys/create-key.ts';
import { createMailJobs } from '#api/accounts/mail/mail-jobs.ts';
import type { Mail } from '#api/accounts/mail/port.ts';
import type { ProviderSignOut } from '#api/accounts/oauth/provider-sign-out.ts';
import { createHasher, type HasherOptions } from '#api/accounts/passwords/hasher.ts';
import { createOneTimeCodes } from '#api/accounts/passwords/one-time-code.ts';
import type { RegistrationSetting } from '#api/accounts/registration-setting.ts';
import type { SecondFactorPolicy } from '#api/accounts/second-factor/open-sign-in.ts';
import { createSecondFactors } from '#api/accounts/second-factor/second-factors.ts';
import { createSessions } from '#api/accounts/sessions/sessions.ts';
import { createBackground } from '#api/accounts/sign-in/background.ts';
import { createSignInLimits } from '#api/accounts/sign-in/sign-in-limits.ts';
import { createAudit } from '#api/audit/audit.ts';
import type { CommittedAuditEntry } from '#api/audit/port.ts';
import { createSeal } from '#api/executions/secrets/seal.ts';
import type { SecurityEvent } from '#api/http/security-events.ts';
import { createJobQueue } from '#api/jobs/queue.ts';
import type { Database } from '#api/postgres/database.ts';
import { createMemorySharedState } from '#api/shared-state/memory.ts';
import type { SharedState, WindowLimit } from '#api/shared-state/port.ts';
import { atEnd } from '#test/support/at-end.ts';
import { usePostgres } from '#test/support/use-services.ts';

export const AUTH_SECRET = 'the auth secret of the tests, 32+';
export const JWT_SECRET = 'the jwt secret of the tests, 32 +';
export const PASSWORD = 'otter-lamp-quarry-77';
export const BASE_URL = 'https://trapline.example.org';

let requests = 0;

/** The origin of a test request. By default each request has its own address, so that tests do not share limits. */
export function origin(ip?: string) {
  requests += 1;
  return {
    ip: ip ?? `10.${(requests >> 16) & 255}.${(requests >> 8) & 255}.${requests & 255}`,
    userAgent: 'test',
    requestId: `request-${requests}`,
  };
}

export interface AccountSystemOptions {
  readonly database?: Database;
  readonly registration?: RegistrationSetting;
  readonly hasher?: HasherOptions;
  readonly shared?: SharedState;
  readonly authSecrets?: readonly [string, ...string[]];
  readonly accountLock?: WindowLimit;
  readonly codeTries?: WindowLimit;
  readonly secondFactor?: SecondFactorPolicy;
  /** Default: no session belongs to a provider. */
  readonly providerSignOut?: ProviderSignOut;
  /** Default: true. */
  readonly confirmsByMail?: boolean;
  /** Default: mails are collected. */
  readonly sendMail?: (mail: Mail) => Promise<void>;
}

/** The accounts of a process, on PostgreSQL, with cheap hashes. Closed at the end of the test file. */
export async function accountSystem(options: AccountSystemOptions = {}) {
  const { registration = 'open', shared = createMemorySharedState(), accountLock, codeTries } = options;
  const limits = { ...(accountLock && { accountLock }), ...(codeTries && { codeTries }) };
  const database = options.database ?? (await usePostgres()).database;
  const mails: Mail[] = [];
  const audited: CommittedAuditEntry[] = [];
  const reported: SecurityEvent[] = [];
  const failures: unknown[] = [];
  const hasher = createHasher({ threads: 2, cost: 4, maxQueued: 1000, ...options.hasher });
  atEnd(() => hasher.close());
  const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  const audit = createAudit({ onCommitted: (entry) => void audited.push(entry) });
  const background = createBackground({ onFailure: (error) => void failures.push(error) });
  const codes = createOneTimeCodes({ secrets: options.authSecrets ?? [AUTH_SECRET] });
  const sessions = createSessions(
    { database },
    { secrets: [JWT_SECRET], secondFactorRoles: options.secondFactor?.requiredRoles ?? [] },
  );
  const jobs = createJobQueue({ database, logger });
  const report = (event: SecurityEvent) => void reported.push(event);
  const signInLimits = createSignInLimits({ shared }, { secret: AUTH_SECRET });
  const seal = createSeal(options.authSecrets ?? [AUTH_SECRET]);
  const secondFactors = createSecondFactors(
    { database, hasher, sessions, audit, report, background, shared, jobs, limits: signInLimits, seal },
    {
      ...limits,
      ...(options.secondFactor && { policy: options.secondFactor }),
      mailServer: true,
      publicUrl: () => BASE_URL,
    },
  );
  const accounts = createAccounts(
    {
      database,
      jobs,
      channels: shared.channels,
      hasher,
      sessions,
      audit,
      background,
      codes,
      setUpSecrets: options.authSecrets ?? [AUTH_SECRET],
      limits: signInLimits,
      report,
      openSignIn: secondFactors.openSignIn,
      providerSignOut: options.providerSignOut ?? (async () => undefined),
      ...createKeyMaking({ hasher }),
    },
    { registration, ...limits, confirmsByMail: options.confirmsByMail ?? true },
  );
  const sendMail = options.sendMail ?? (async (mail) => void mails.push(mail));
  const mailJob = createMailJobs({ database, audit, codes, sendMail }, { baseUrl: BASE_URL, registration, ...limits });

  /** Runs the queued mail jobs as a worker does, and resolves to the mails that were sent. */
  async function deliver(): Promise<Mail[]> {
    const waiting = await database
      .deleteFrom('jobs')
      .where('queue', '=', 'mail')
      .returning(['id', 'payload'])
      .execute();
    const before = mails.length;
    for (const { id, payload } of waiting) {
      const signal = new AbortController().signal;
      await mailJob({ id, payload, attempt: 1, requestId: undefined, signal, finish: async () => {} });
    }
    return mails.slice(before);
  }

  const user = (email: string) =>
    database.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirstOrThrow();

  return {
    database,
    accounts,
    secondFactors,
    sessions,
    hasher,
    background,
    audited,
    reported,
    shared,
    failures,
    mails,
    mailJob,
    deliver,
    user,
    /** Requests a code and reads it from the mail. */
    async codeFor(email: string): Promise<string> {
      await accounts.requestCode(email, origin());
      const [mail] = await deliver();
      const code = /^\d{6}$/m.exec(mail?.text ?? '')?.[0];
      if (code === undefined) throw new Error(`no code was sent to ${email}`);
      return code;
    },
    /** Requests a password reset and reads the token from the mail. */
    async resetTokenFor(email: string): Promise<string> {
      await accounts.requestReset(email, origin());
      const [mail] = await deliver();
      const token = /\?token=([\w-]+)/.exec(mail?.text ?? '')?.[1];
      if (token === undefined) throw new Error(`no link was sent to ${email}`);
      return token;
    },
    /** Creates an account with `PASSWORD` directly in the database. */
    async addUser(name: string) {
      const passwordHash = await hasher.hash(PASSWORD);
      return database
        .insertInto('users')
        .values({ username: name, email: `${name}@example.org`, passwordHash, emailVerified: true })
        .returningAll()
        .executeTakeFirstOrThrow();
    },
  };
}
