import { createAccountAnnouncements } from '#api/accounts/admin/announce-change.ts';
import { createUserAdministration } from '#api/accounts/admin/change-user.ts';
import { createPasswordLinks } from '#api/accounts/admin/password-link.ts';
import { createResetSecondFactor } from '#api/accounts/admin/reset-second-factor.ts';
import { createSendPasswordLink } from '#api/accounts/admin/send-password-link.ts';
import { passwordLinkRoute } from '#api/accounts/routes/admin/password-link.ts';
import { adminSecondFactorRoutes } from '#api/accounts/routes/admin/second-factor.ts';
import { adminUserRoutes } from '#api/accounts/routes/admin/users.ts';
import { createFactorNotices } from '#api/accounts/second-factor/notices.ts';
import { createAnnounceEnded } from '#api/accounts/sessions/announce-ended.ts';
import { createSessions } from '#api/accounts/sessions/sessions.ts';
import { createSignInLimits } from '#api/accounts/sign-in/sign-in-limits.ts';
import type { User } from '#api/accounts/tables/users.ts';
import { createAudit } from '#api/audit/audit.ts';
import { registerAudit } from '#api/audit/register-audit.ts';
import { createJobQueue } from '#api/jobs/queue.ts';
import { createMemorySharedState } from '#api/shared-state/memory.ts';
import type { Channels } from '#api/shared-state/port.ts';
import { OPERATOR_KEY, operatorGuard, startApp } from '../../../running-app.ts';
import { ORIGIN, startKeyProcess } from '../../keys/key-fixture.ts';

/**
 * The app with real sessions and keys, and the administration routes. `said` lists the published messages as `channel
 * message`.
 */
export async function runAdminApp(databaseUrl: string) {
  const said: string[] = [];
  const channels: Channels = {
    publish: async (channel, message) => void said.push(`${channel} ${message}`),
    subscribe: async () => async () => {},
  };
  const keys = await startKeyProcess(databaseUrl, channels);
  const { database } = keys;
  const secret = 'a secret of the tests, 32 characters';
  const sessions = createSessions({ database }, { secrets: [secret] });
  const announcements = createAccountAnnouncements({ channels, keyChanges: keys.changes });
  const changeUser = createUserAdministration({ database, audit: createAudit(), announcements });
  const running = await startApp({
    deps: {
      guard: {
        ...operatorGuard(),
        verifyKey: keys.verify,
        authenticateSession: sessions.authenticate,
      },
    },
    prepare(app) {
      adminUserRoutes(app, { database, changeUser, revokeKey: keys.revokeKey, mailServer: true });
      const audit = createAudit();
      const jobs = createJobQueue({ database, logger: { debug() {}, info() {}, warn() {}, error() {} } });
      const limits = createSignInLimits({ shared: createMemorySharedState() }, { secret });
      passwordLinkRoute(app, {
        createPasswordLink: createPasswordLinks({ database, audit, publicUrl: () => 'https://trapline.example.org' }),
        sendPasswordLink: createSendPasswordLink({ database, jobs, audit, limits }, { mailServer: true }),
      });
      const notify = createFactorNotices({ jobs }, { mailServer: true });
      const announceEnded = createAnnounceEnded({ channels });
      const resetSecondFactor = createResetSecondFactor({ database, audit, notify, announceEnded });
      adminSecondFactorRoutes(app, { database, resetSecondFactor });
      registerAudit(app, { database });
    },
  });
  const call = async (method: string, path: string, headers: Record<string, string>, body?: unknown) => {
    const response = await fetch(running.url + path, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const etag = response.headers.get('etag');
    return { status: response.status, etag, body: text === '' ? undefined : JSON.parse(text) };
  };
  return {
    ...running,
    keys,
    said,
    asOperator: (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
      call(method, path, { 'x-api-key': OPERATOR_KEY, ...headers }, body),
    withKey: (key: string, method: string, path: string) => call(method, path, { 'x-api-key': key }),
    /** Sends requests with the cookie of a new session. */
    async signIn(user: Pick<User, 'id' | 'role'>) {
      const { token } = await sessions.open(database, user, ORIGIN);
      return (method: string, path: string, body?: unknown) =>
        call(method, path, { cookie: `trapline-session=${token}` }, body);
    },
    async end() {
      await running.app.close();
      await keys.close();
    },
  };
}
