import type { ApiServer } from '#api/http/api-server.ts';
import type { ChangeQuota } from './admin/change-quota.ts';
import type { CreateUser } from './admin/create-user.ts';
import type { CreatePasswordLink } from './admin/password-link.ts';
import type { SendPasswordLink } from './admin/send-password-link.ts';
import { adminApiKeyRoutes } from './routes/admin/api-keys.ts';
import { createUserRoute } from './routes/admin/create-user.ts';
import { type IdentityProviderRoutesDeps, identityProviderRoutes } from './routes/admin/identity-providers.ts';
import { passwordLinkRoute } from './routes/admin/password-link.ts';
import { adminSecondFactorRoutes } from './routes/admin/second-factor.ts';
import { type AdminUserRoutesDeps, adminUserRoutes } from './routes/admin/users.ts';
import { type AccountRoutesDeps, accountRoutes } from './routes/auth/accounts.ts';
import { type BackChannelLogoutRouteDeps, backChannelLogoutRoute } from './routes/auth/back-channel-logout.ts';
import { type OAuthRouteDeps, oauthRoutes } from './routes/auth/oauth.ts';
import { type SamlRouteDeps, samlRoutes } from './routes/auth/saml.ts';
import { passkeySignInRoutes } from './routes/auth/second-factor/passkey.ts';
import { secondStepRoutes } from './routes/auth/second-factor/second-step.ts';
import { type LeakedKeyRouteDeps, leakedKeyRoute } from './routes/leaked-keys.ts';
import { type ApiKeyChangeRouteDeps, apiKeyChangeRoutes } from './routes/user/api-key-changes.ts';
import { type ApiKeyRoutesDeps, apiKeyRoutes } from './routes/user/api-keys.ts';
import { passkeyRoutes } from './routes/user/passkeys.ts';
import { quotaRoutes } from './routes/user/quota.ts';
import { ownFactorRoutes } from './routes/user/second-factor.ts';
import type { SecondFactorParts } from './second-factor/second-factors.ts';

/**
 * Dependencies of the account routes. `registration` only controls what pages offer; `accounts` and `oauth` enforce the
 * rule.
 */
export interface AccountsDeps
  extends AccountRoutesDeps,
    OAuthRouteDeps,
    SamlRouteDeps,
    BackChannelLogoutRouteDeps,
    ApiKeyRoutesDeps,
    ApiKeyChangeRouteDeps,
    LeakedKeyRouteDeps,
    AdminUserRoutesDeps,
    IdentityProviderRoutesDeps {
  readonly createUser: CreateUser;
  readonly createPasswordLink: CreatePasswordLink;
  readonly sendPasswordLink: SendPasswordLink;
  readonly changeQuota: ChangeQuota;
  readonly secondFactors: SecondFactorParts;
}

/** Adds the routes of accounts: sign-up, sign-in, profile, keys, quotas and the administration of users. */
export async function registerAccounts(app: ApiServer, deps: AccountsDeps): Promise<void> {
  apiKeyRoutes(app, deps);
  apiKeyChangeRoutes(app, deps);
  await leakedKeyRoute(app, deps);
  adminApiKeyRoutes(app, deps);
  createUserRoute(app, deps);
  passwordLinkRoute(app, deps);
  adminUserRoutes(app, deps);
  identityProviderRoutes(app, deps);
  quotaRoutes(app, deps);
  accountRoutes(app, deps);
  oauthRoutes(app, deps);
  const routes = { ...deps, ...deps.secondFactors };
  secondStepRoutes(app, routes);
  passkeySignInRoutes(app, routes);
  ownFactorRoutes(app, routes);
  passkeyRoutes(app, routes);
  adminSecondFactorRoutes(app, routes);
  samlRoutes(app, deps);
  backChannelLogoutRoute(app, deps);
}
