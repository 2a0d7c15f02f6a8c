import type { JobQueue } from '#api/jobs/port.ts';
import type { SharedState, WindowLimit } from '#api/shared-state/port.ts';
import { createResetSecondFactor, type ResetSecondFactor } from '../admin/reset-second-factor.ts';
import { createAnnounceEnded } from '../sessions/announce-ended.ts';
import type { Sessions } from '../sessions/sessions.ts';
import {
  type ConfirmPasswordConfig,
  type ConfirmPasswordDeps,
  createConfirmPassword,
} from '../sign-in/confirm-password.ts';
import type { SignInLimits } from '../sign-in/sign-in-limits.ts';
import { createCheckCode, type Seal } from './check-code.ts';
import { createEnrolment } from './enrolment.ts';
import { createFactorNotices } from './notices.ts';
import { createOpenSignIn, NO_POLICY, type OpenSignIn, type SecondFactorPolicy } from './open-sign-in.ts';
import { createOwnFactors, type OwnFactorChanges } from './own-factors.ts';
import { createOwnPasskeys, type OwnPasskeys } from './own-passkeys.ts';
import { createPasskeyCeremonies } from './passkey-ceremonies.ts';
import { createPasskeySignIn, type PasskeySignIn } from './passkey-sign-in.ts';
import { createSecondStepSignIn, type SecondStepSignIn } from './second-step-sign-in.ts';
import { createTryLimits } from './try-limits.ts';

/** Second factors of accounts: at the sign-in, for their owners, for administrators. */
export interface SecondFactorParts {
  readonly openSignIn: OpenSignIn;
  readonly secondStep: SecondStepSignIn;
  readonly ownFactors: OwnFactorChanges;
  readonly resetSecondFactor: ResetSecondFactor;
  readonly passkeys: OwnPasskeys;
  readonly passkeySignIn: PasskeySignIn;
}

export interface SecondFactorDeps extends ConfirmPasswordDeps {
  readonly sessions: Pick<Sessions, 'open'>;
  readonly limits: SignInLimits;
  readonly shared: Pick<SharedState, 'windows' | 'channels'>;
  readonly jobs: Pick<JobQueue, 'add'>;
  readonly seal: Seal;
}

export interface SecondFactorConfig extends ConfirmPasswordConfig {
  readonly policy?: SecondFactorPolicy;
  /** Limit on code attempts per account. Default: 10 in 10 minutes. */
  readonly tries?: WindowLimit | undefined;
  /** True if a mail server is configured, so that owners are notified of changes. */
  readonly mailServer: boolean;
  /** Returns the public URL of the server. Passkeys belong to its host name. */
  readonly publicUrl: () => string;
}

export function createSecondFactors(deps: SecondFactorDeps, config: SecondFactorConfig): SecondFactorParts {
  const { policy = NO_POLICY } = config;
  const notify = createFactorNotices(deps, config);
  const announceEnded = createAnnounceEnded(deps.shared);
  const parts = {
    ...deps,
    notify,
    announceEnded,
    tries: createTryLimits(deps, config.tries),
    checkCode: createCheckCode(deps),
    enrolment: createEnrolment({ ...deps, notify }),
    confirmPassword: createConfirmPassword(deps, config),
  };
  const secondStep = createSecondStepSignIn(parts);
  const ownFactors = createOwnFactors(parts, policy);
  const ceremonies = createPasskeyCeremonies(parts, config);
  return {
    openSignIn: createOpenSignIn(deps, policy),
    secondStep,
    ownFactors,
    resetSecondFactor: createResetSecondFactor(parts),
    passkeys: createOwnPasskeys({ ...parts, ownFactors, ceremonies }),
    passkeySignIn: createPasskeySignIn({ ...parts, secondStep, ceremonies }),
  };
}
