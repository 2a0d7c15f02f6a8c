import { onTestFinished } from 'vitest';
import { createKeyMaking } from '#api/accounts/keys/create-key.ts';
import { createBackChannelLogout } from '#api/accounts/oauth/back-channel-logout.ts';
import type { IdentityProviderConfig } from '#api/accounts/oauth/identity-provider.ts';
import { createPendingSignIns } from '#api/accounts/oauth/pending-sign-in.ts';
import { createProviderAdministration } from '#api/accounts/oauth/provider-administration.ts';
import { createProviderSignOut, createSealProviderSession } from '#api/accounts/oauth/provider-sign-out.ts';
import { createProviders } from '#api/accounts/oauth/providers.ts';
import { createSettle } from '#api/accounts/oauth/settle.ts';
import { createOAuthSignIn } from '#api/accounts/oauth/sign-in.ts';
import { createHasher, type Hasher } from '#api/accounts/passwords/hasher.ts';
import { mayRegister, type RegistrationSetting } from '#api/accounts/registration-setting.ts';
import { backChannelLogoutRoute } from '#api/accounts/routes/auth/back-channel-logout.ts';
import { oauthRoutes } from '#api/accounts/routes/auth/oauth.ts';
import { samlRoutes } from '#api/accounts/routes/auth/saml.ts';
import { createSamlCallback } from '#api/accounts/saml/saml-callback.ts';
import type { SamlProviderConfig } from '#api/accounts/saml/saml-provider.ts';
import { createSamlProviders } from '#api/accounts/saml/saml-providers.ts';
import { createOpenSignIn } from '#api/accounts/second-factor/open-sign-in.ts';
import { createAnnounceEnded } from '#api/accounts/sessions/announce-ended.ts';
import { sessionCookie } from '#api/accounts/sessions/session-cookie.ts';
import { createSessions } from '#api/accounts/sessions/sessions.ts';
import { createSignOut } from '#api/accounts/sign-in/sign-out.ts';
import { createAudit } from '#api/audit/audit.ts';
import { createSeal } from '#api/executions/secrets/seal.ts';
import type { Database } from '#api/postgres/database.ts';
import { createMemorySharedState } from '#api/shared-state/memory.ts';
import type { SharedState } from '#api/shared-state/port.ts';
import { createTeamSync } from '#api/sharing/provider-teams.ts';
import { runApp } from '#test/api/running-app.ts';
import { type Browser, createBrowser } from '#test/support/browser.ts';
import type { CodeHostService } from '#test/support/services/code-host.ts';
import type { IdentityProviderService } from '#test/support/services/identity-provider.ts';

/** The public address of the app that the providers know. Tests connect to the port on which it really listens. */
export const PUBLIC_URL = 'https://trapline.example.org';
export const REDIRECT_URIS = ['idp', 'codehost'].map((id) => `${PUBLIC_URL}/api/auth/callback/${id}`);
const SECRET = 'a secret of the tests, long enough';

export interface OAuthAppOptions {
  readonly database: Database;
  readonly idp?: IdentityProviderService | undefined;
  readonly host?: CodeHostService | undefined;
  readonly listed?: readonly IdentityProviderConfig[];
  readonly saml?: readonly SamlProviderConfig[];
  readonly registration?: RegistrationSetting;
  readonly shared?: SharedState;
  readonly secure?: boolean;
  /** Replaces the hasher, to simulate its failures. */
  readonly hash?: Hasher['hash'];
}

/** The app with the provider sign-in routes, on real stores. */
export async function runOAuthApp(options: OAuthAppOptions) {
  const { database, idp, host, registration = 'open', shared = createMemorySharedState(), secure = false } = options;
  const hasher = createHasher({ cost: 4, threads: 1 });
  onTestFinished(() => hasher.close());
  const sessions = createSessions({ database }, { secrets: [SECRET] });
  const warnings: object[] = [];
  const announced: string[] = [];
  const audit = createAudit();
  const seal = createSeal([SECRET]);
  const settle = createSettle({
    database,
    audit,
    openSignIn: createOpenSignIn({ sessions, audit }),
    mayRegister: (email) => mayRegister(registration, email),
    announcements: { announce: async (userId) => void announced.push(userId) },
    syncTeams: createTeamSync({ audit }),
    sealSession: createSealProviderSession({ seal }),
    ...createKeyMaking({ hasher: { hash: options.hash ?? hasher.hash } }),
  });
  const logger = { warn: (fields: object) => void warnings.push(fields) };
  const samlProviders = await createSamlProviders(options.saml ?? [], { database, publicUrl: () => PUBLIC_URL, seal });
  const announceEnded = createAnnounceEnded(shared);
  const saml = createSamlCallback({ providers: samlProviders, shared, database, audit, settle, announceEnded, logger });
  const openIdProviders = await createProviders({
    identityProvider: idp,
    listedProviders: options.listed,
    codeHost: { url: host?.url ?? '', authUrl: host?.url ?? '', client: host },
  });
  const providers = [...openIdProviders, ...samlProviders];
  const oauth = createOAuthSignIn({
    providers,
    pending: createPendingSignIns([SECRET]),
    settle,
    shared,
    database,
    audit,
    publicUrl: () => PUBLIC_URL,
    logger,
  });
  const backChannelLogout = createBackChannelLogout({ providers, database, audit, shared, announceEnded, logger });
  const providerSignOut = createProviderSignOut({ providers, seal, publicUrl: () => PUBLIC_URL, logger });
  const signOut = createSignOut({ database, audit, announceEnded, providerSignOut });
  const cookie = sessionCookie({ secure });
  const app = await runApp({
    prepare: (server) => {
      oauthRoutes(server, { oauth, registration, sessionCookie: cookie });
      samlRoutes(server, { saml, sessionCookie: cookie });
      backChannelLogoutRoute(server, { backChannelLogout });
    },
  });
  /** Returns the user of the session cookie in a browser. */
  const caller = (browser: Browser) => sessions.authenticate(browser.cookies(app.url).get(cookie.name) ?? '');
  const here = (url: string) => url.replace(PUBLIC_URL, app.url);

  return {
    ...app,
    sessions,
    hasher,
    warnings,
    announced,
    administration: createProviderAdministration({ providers, database, publicUrl: () => PUBLIC_URL }),
    here,
    /** Signs in at a provider and returns the callback URL without requesting it. */
    async goOut(browser: Browser, provider = 'idp', returnTo?: string): Promise<string> {
      const query = returnTo === undefined ? '' : `?returnTo=${encodeURIComponent(returnTo)}`;
      const response = await browser.visit(`${app.url}/api/auth/signin/${provider}${query}`);
      if (response.status !== 302) throw new Error(`signin answered ${response.status}: ${await response.text()}`);
      return here(await browser.follow(response.headers.get('location') ?? '', PUBLIC_URL));
    },
    /** Completes a sign-in, in a new browser unless one is given. */
    async signIn(provider = 'idp', browser = createBrowser(), accept = 'application/json'): Promise<Response> {
      return browser.visit(await this.goOut(browser, provider), { headers: { accept } });
    },
    caller,
    /** Signs out and resolves to the address at the provider to which the browser is redirected. */
    async signOut(browser: Browser): Promise<string | undefined> {
      const session = await caller(browser);
      if (session === undefined) throw new Error('the browser has no session');
      return signOut(session, { ip: '192.0.2.1', userAgent: 'test', requestId: 'request' });
    },
  };
}

/** Audited actions with the reasons of rejections, oldest first. */
export async function auditOf(database: Database): Promise<string[]> {
  const rows = await database.selectFrom('auditLog').select(['action', 'diff']).orderBy('id').execute();
  return rows.map(({ action, diff }) => {
    const { reason } = diff as { reason?: { after: string } };
    return reason === undefined ? action : `${action} ${reason.after}`;
  });
}
