import { createAccountAnnouncements } from '#api/accounts/admin/announce-change.ts';
import { createQuotaChange } from '#api/accounts/admin/change-quota.ts';
import { createUserAdministration } from '#api/accounts/admin/change-user.ts';
import { createUserCreation } from '#api/accounts/admin/create-user.ts';
import { createPasswordLinks } from '#api/accounts/admin/password-link.ts';
import { createSendPasswordLink } from '#api/accounts/admin/send-password-link.ts';
import { createOperatorKeyCheck } from '#api/accounts/keys/operator-key.ts';
import { createHasher } from '#api/accounts/passwords/hasher.ts';
import { adminApiKeyRoutes } from '#api/accounts/routes/admin/api-keys.ts';
import { createUserRoute } from '#api/accounts/routes/admin/create-user.ts';
import { passwordLinkRoute } from '#api/accounts/routes/admin/password-link.ts';
import { adminUserRoutes } from '#api/accounts/routes/admin/users.ts';
import { apiKeyChangeRoutes } from '#api/accounts/routes/user/api-key-changes.ts';
import { type ApiKeyRoutesDeps, apiKeyRoutes } from '#api/accounts/routes/user/api-keys.ts';
import { quotaRoutes } from '#api/accounts/routes/user/quota.ts';
import { createSessions } from '#api/accounts/sessions/sessions.ts';
import { createSignInLimits } from '#api/accounts/sign-in/sign-in-limits.ts';
import type { User } from '#api/accounts/tables/users.ts';
import { createAudit } from '#api/audit/audit.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { createJobQueue } from '#api/jobs/queue.ts';
import { createMemorySharedState } from '#api/shared-state/memory.ts';
import { DEAF, ORIGIN, startKeyProcess } from './accounts/keys/key-fixture.ts';
import { OPERATOR_KEY, operatorGuard, startApp } from './running-app.ts';

const JWT_SECRET = 'a secret of the tests, 32 characters';
const QUIET = { debug() {}, info() {}, warn() {}, error() {} };

/** The app with real keys, real sessions and the routes of both; a route for keys besides, `/keyed`. `prepare` adds routes of the test. */
export async function runKeyedApp(databaseUrl: string, prepare?: (app: ApiServer, deps: ApiKeyRoutesDeps) => void) {
  const keys = await startKeyProcess(databaseUrl, DEAF);
  const { database } = keys;
  const audit = createAudit();
  const hasher = createHasher({ threads: 1 });
  const sessions = createSessions({ database }, { secrets: [JWT_SECRET] });
  const announcements = createAccountAnnouncements({ channels: DEAF, keyChanges: keys.changes });
  const limits = createSignInLimits({ shared: createMemorySharedState() }, { secret: JWT_SECRET });
  const changeUser = createUserAdministration({ database, audit, announcements });
  const running = await startApp({
    deps: {
      keyRestrictions: {
        shared: createMemorySharedState(),
        usage: keys.usage,
        resourcesOfExecution: async (id) => (id === 'exec_nightly' ? ['workflow:wf_1', 'workflow:nightly'] : []),
      },
      guard: {
        ...operatorGuard(),
        isOperator: createOperatorKeyCheck(OPERATOR_KEY),
        verifyKey: keys.verify,
        authenticateSession: sessions.authenticate,
      },
    },
    prepare(app) {
      const deps = { database, issueKey: keys.issueKey, revokeKey: keys.revokeKey };
      apiKeyRoutes(app, deps);
      apiKeyChangeRoutes(app, { database, rotateKey: keys.rotateKey, updateKey: keys.updateKey });
      adminApiKeyRoutes(app, { ...deps, rotateKey: keys.rotateKey });
      adminUserRoutes(app, { database, revokeKey: keys.revokeKey, changeUser, mailServer: false });
      quotaRoutes(app, { database, changeQuota: createQuotaChange({ database, audit }) });
      createUserRoute(app, { createUser: createUserCreation({ database, audit, hasher }) });
      passwordLinkRoute(app, {
        createPasswordLink: createPasswordLinks({
          database,
          audit,
          publicUrl: () => 'https://trapline.example.org',
        }),
        sendPasswordLink: createSendPasswordLink(
          { database, audit, limits, jobs: createJobQueue({ database, logger: QUIET }) },
          { mailServer: true },
        ),
      });
      prepare?.(app, deps);
      app.get('/keyed', { config: { access: { by: 'key', scope: 'scrapers' } } }, async ({ caller }) => ({ caller }));
    },
  });
  const call = async (method: string, path: string, headers: Record<string, string>, body?: unknown) => {
    const response = await fetch(running.url + path, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
  };
  return {
    ...running,
    keys,
    call,
    withKey: (key: string, method: string, path: string, body?: unknown) =>
      call(method, path, { 'x-api-key': key }, body),
    /** What a person calls with the cookie of a new session. */
    async signIn(user: User) {
      const { token } = await sessions.open(database, user, ORIGIN);
      return (method: string, path: string, body?: unknown) =>
        call(method, path, { cookie: `trapline-session=${token}` }, body);
    },
    async end() {
      await running.app.close();
      await hasher.close();
      await keys.close();
    },
  };
}
