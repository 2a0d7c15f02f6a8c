import type { Channels } from '#api/shared-state/port.ts';
import {
  createRequestMail,
  type RequestMail,
  type RequestMailConfig,
  type RequestMailDeps,
} from './mail/request-mail.ts';
import { createResetPassword, type ResetPassword, type ResetPasswordDeps } from './passwords/reset-password.ts';
import { createAnnounceEnded } from './sessions/announce-ended.ts';
import { createSignIn, type SignIn, type SignInConfig, type SignInDeps } from './sign-in/sign-in.ts';
import { createSignOut, type SignOut } from './sign-in/sign-out.ts';
import { createRegister, type Register, type RegisterConfig, type RegisterDeps } from './sign-up/register.ts';
import { createUpdateProfile, type UpdateProfile } from './update-profile.ts';

/** What people do with their accounts. */
export interface Accounts {
  readonly requestCode: RequestMail;
  readonly register: Register;
  readonly requestReset: RequestMail;
  readonly resetPassword: ResetPassword;
  readonly signIn: SignIn;
  readonly signOut: SignOut;
  readonly updateProfile: UpdateProfile;
}

export type AccountsDeps = RegisterDeps &
  RequestMailDeps &
  Omit<ResetPasswordDeps, 'announceEnded'> &
  SignInDeps & { readonly channels: Pick<Channels, 'publish'> };

export function createAccounts(
  deps: AccountsDeps,
  config: RequestMailConfig & RegisterConfig & SignInConfig,
): Accounts {
  const request = createRequestMail(deps, config);
  const announceEnded = createAnnounceEnded(deps);
  return {
    requestCode: request.code,
    register: createRegister(deps, config),
    requestReset: request.reset,
    resetPassword: createResetPassword({ ...deps, announceEnded }),
    signIn: createSignIn(deps, config),
    signOut: createSignOut({ ...deps, announceEnded }),
    updateProfile: createUpdateProfile(deps),
  };
}
