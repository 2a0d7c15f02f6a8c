import type { ApiServer } from '#api/http/api-server.ts';
import type { OAuthSignIn } from '../../oauth/sign-in.ts';
import type { RegistrationSetting } from '../../registration-setting.ts';
import type { SessionCookie } from '../../sessions/session-cookie.ts';
import { callbackRoute } from './callback.ts';
import { pendingCookie } from './oauth-cookie.ts';
import { providersRoute } from './providers.ts';
import { signInWithProviderRoute } from './signin.ts';

export interface OAuthRouteDeps {
  readonly oauth: OAuthSignIn;
  readonly registration: RegistrationSetting;
  readonly sessionCookie: SessionCookie;
}

/** Sign-in with providers: the list, the redirect, the callback. */
export function oauthRoutes(app: ApiServer, { oauth, registration, sessionCookie }: OAuthRouteDeps): void {
  const cookie = pendingCookie({ secure: sessionCookie.options.secure });
  providersRoute(app, { oauth, registration });
  signInWithProviderRoute(app, { oauth, pendingCookie: cookie });
  callbackRoute(app, { oauth, pendingCookie: cookie, sessionCookie });
}
