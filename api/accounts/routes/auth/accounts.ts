import type { ApiServer } from '#api/http/api-server.ts';
import { pageStyle } from '#api/http/pages/page-style.ts';
import type { Database } from '#api/postgres/database.ts';
import type { Accounts } from '../../accounts.ts';
import type { SessionCookie } from '../../sessions/session-cookie.ts';
import { emailRoute } from '../user/email.ts';
import { passwordRoute } from '../user/password.ts';
import { profileRoutes } from '../user/profile.ts';
import { sessionRoutes } from '../user/sessions.ts';
import { confirmEmailRoute } from './confirm-email.ts';
import { credentialsRoute } from './credentials.ts';
import { forgotPasswordRoute } from './forgot-password.ts';
import { linkPages } from './link-pages.ts';
import { resetPasswordRoute } from './reset-password.ts';
import { sendOtpRoute } from './send-otp.ts';
import { setUpRoute } from './set-up.ts';
import { signOutRoute } from './sign-out.ts';
import { verifyOtpRoute } from './verify-otp.ts';

export interface AccountRoutesDeps {
  readonly database: Database;
  readonly accounts: Accounts;
  readonly sessionCookie: SessionCookie;
}

/** Registration, sign-in with a password, password reset, and the profile, password, address and sessions of the caller. */
export function accountRoutes(app: ApiServer, deps: AccountRoutesDeps): void {
  sendOtpRoute(app, deps);
  verifyOtpRoute(app, deps);
  forgotPasswordRoute(app, deps);
  resetPasswordRoute(app, deps);
  setUpRoute(app, deps);
  linkPages(app);
  pageStyle(app);
  credentialsRoute(app, deps);
  signOutRoute(app, deps);
  profileRoutes(app, deps);
  passwordRoute(app, deps);
  emailRoute(app, deps);
  confirmEmailRoute(app, deps);
  sessionRoutes(app, deps);
}
