import type { SharedState } from '../../shared-state/port.ts';
import type { Database } from '../../store/database.ts';
import { mayRegister, type RegistrationSetting } from '../accounts/registration-setting.ts';
import type { Audit } from '../audit/port.ts';
import type { CreateKey, PrepareKey } from '../keys/create-key.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { FetchBounds } from './bounded-fetch.ts';
import { createPendingSignIns } from './pending-sign-in.ts';
import { createProviders, type ProvidersConfig } from './providers.ts';
import { createSettle } from './settle.ts';
import { createOAuthSignIn, type OAuthSignIn } from './sign-in.ts';

export interface OAuthDeps {
  readonly database: Database;
  readonly shared: SharedState;
  readonly audit: Audit;
  readonly sessions: Pick<Sessions, 'open'>;
  readonly createKey: CreateKey;
  readonly prepareKey: PrepareKey;
  readonly logger: { warn(fields: object, message: string): void };
}

export interface OAuthConfig extends ProvidersConfig {
  /** AUTH_SECRET: the first seals pending sign-ins, all open them. */
  readonly secrets: readonly [string, ...string[]];
  readonly registration: RegistrationSetting;
  /** Address people reach this server at, without a slash at the end. A function: a port may be known only when it listens. */
  readonly publicUrl: () => string;
  /** Of calls to providers. */
  readonly bounds?: FetchBounds;
}

/** Sign-in with the providers that are configured, put together. Nothing is asked of a provider before the first sign-in. */
export function createOAuth(deps: OAuthDeps, config: OAuthConfig): OAuthSignIn {
  const { database, shared, audit, logger } = deps;
  return createOAuthSignIn({
    providers: createProviders(config, config.bounds),
    pending: createPendingSignIns(config.secrets),
    settle: createSettle({ ...deps, mayRegister: (email) => mayRegister(config.registration, email) }),
    publicUrl: config.publicUrl,
    database,
    shared,
    audit,
    logger,
  });
}
