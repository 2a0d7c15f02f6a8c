import type { Channels } from '#api/shared-state/port.ts';
import {
  type ConfirmEmailChange,
  type ConfirmEmailChangeDeps,
  createConfirmEmailChange,
} from './email-change/confirm-email-change.ts';
import {
  createRequestEmailChange,
  type RequestEmailChange,
  type RequestEmailChangeConfig,
  type RequestEmailChangeDeps,
} from './email-change/request-email-change.ts';
import {
  createRequestMail,
  type RequestMail,
  type RequestMailConfig,
  type RequestMailDeps,
} from './mail/request-mail.ts';
import type { ProviderSignOut } from './oauth/provider-sign-out.ts';
import { type ChangePassword, type ChangePasswordDeps, createChangePassword } from './passwords/change-password.ts';
import {
  createIsResetToken,
  createResetPassword,
  type IsResetToken,
  type ResetPassword,
  type ResetPasswordDeps,
} from './passwords/reset-password.ts';
import { createAnnounceEnded } from './sessions/announce-ended.ts';
import { createEndSessions, type EndSessions } from './sessions/end-sessions.ts';
import type { Sessions } from './sessions/sessions.ts';
import { createSetUp, type SetUp, type SetUpDeps } from './set-up/set-up.ts';
import {
  type ConfirmPasswordConfig,
  type ConfirmPasswordDeps,
  createConfirmPassword,
} from './sign-in/confirm-password.ts';
import { createSignIn, type SignIn, type SignInDeps } from './sign-in/sign-in.ts';
import { createSignOut, type SignOut } from './sign-in/sign-out.ts';
import { createRegister, type Register, type RegisterConfig, type RegisterDeps } from './sign-up/register.ts';
import { createUpdateProfile, type UpdateProfile } from './update-profile.ts';

/** Functions for users to manage their accounts. */
export interface Accounts {
  readonly setUp: SetUp;
  readonly requestCode: RequestMail;
  readonly register: Register;
  readonly requestReset: RequestMail;
  readonly resetPassword: ResetPassword;
  readonly isResetToken: IsResetToken;
  readonly changePassword: ChangePassword;
  readonly signIn: SignIn;
  readonly signOut: SignOut;
  readonly endSessions: EndSessions;
  readonly updateProfile: UpdateProfile;
  readonly requestEmailChange: RequestEmailChange;
  readonly confirmEmailChange: ConfirmEmailChange;
}

export type AccountsDeps = RegisterDeps &
  SetUpDeps &
  RequestMailDeps &
  Omit<ResetPasswordDeps, 'announceEnded'> &
  Omit<ChangePasswordDeps, 'announceEnded' | 'confirmPassword'> &
  Omit<RequestEmailChangeDeps, 'confirmPassword'> &
  ConfirmEmailChangeDeps &
  ConfirmPasswordDeps &
  Omit<SignInDeps, 'confirmPassword'> & {
    readonly sessions: Sessions;
    readonly channels: Pick<Channels, 'publish'>;
    readonly providerSignOut: ProviderSignOut;
  };

export function createAccounts(
  deps: AccountsDeps,
  config: RequestMailConfig & RegisterConfig & ConfirmPasswordConfig & RequestEmailChangeConfig,
): Accounts {
  const request = createRequestMail(deps, config);
  const announceEnded = createAnnounceEnded(deps);
  const confirmPassword = createConfirmPassword(deps, config);
  return {
    setUp: createSetUp(deps),
    requestCode: request.code,
    register: createRegister(deps, config),
    requestReset: request.reset,
    resetPassword: createResetPassword({ ...deps, announceEnded }),
    isResetToken: createIsResetToken(deps),
    changePassword: createChangePassword({ ...deps, announceEnded, confirmPassword }),
    signIn: createSignIn({ ...deps, confirmPassword }),
    signOut: createSignOut({ ...deps, announceEnded }),
    endSessions: createEndSessions({ ...deps, announceEnded }),
    updateProfile: createUpdateProfile(deps),
    requestEmailChange: createRequestEmailChange({ ...deps, confirmPassword }, config),
    confirmEmailChange: createConfirmEmailChange(deps),
  };
}
