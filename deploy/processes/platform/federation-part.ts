import type { AccountAnnouncements } from '#api/accounts/admin/announce-change.ts';
import { type BackChannelLogout, createBackChannelLogout } from '#api/accounts/oauth/back-channel-logout.ts';
import { createPendingSignIns } from '#api/accounts/oauth/pending-sign-in.ts';
import {
  createProviderAdministration,
  type ProviderAdministration,
} from '#api/accounts/oauth/provider-administration.ts';
import {
  createProviderSignOut,
  createSealProviderSession,
  type ProviderSignOut,
} from '#api/accounts/oauth/provider-sign-out.ts';
import { createProviders } from '#api/accounts/oauth/providers.ts';
import { createSettle } from '#api/accounts/oauth/settle.ts';
import { createOAuthSignIn, type OAuthSignIn } from '#api/accounts/oauth/sign-in.ts';
import { mayRegister } from '#api/accounts/registration-setting.ts';
import { createSamlCallback, type SamlCallback } from '#api/accounts/saml/saml-callback.ts';
import { createSamlProviders } from '#api/accounts/saml/saml-providers.ts';
import type { OpenSignIn } from '#api/accounts/second-factor/open-sign-in.ts';
import { createAnnounceEnded } from '#api/accounts/sessions/announce-ended.ts';
import { createSeal } from '#api/executions/secrets/seal.ts';
import { createTeamSync } from '#api/sharing/provider-teams.ts';
import type { AccessPart } from './access-part.ts';
import type { Foundation } from './foundation.ts';
import { listedProviders } from './listed-providers.ts';

/** Starts sign-in with identity providers. Rejects if a file named in IDENTITY_PROVIDERS cannot be read. */
export async function startFederation(
  { config, database, shared, secrets, audit, log }: Foundation,
  { keyMaking }: AccessPart,
  {
    announcements,
    openSignIn,
    publicUrl,
  }: {
    readonly announcements: AccountAnnouncements;
    readonly openSignIn: OpenSignIn;
    readonly publicUrl: () => string;
  },
): Promise<{
  readonly oauth: OAuthSignIn;
  readonly saml: SamlCallback;
  readonly backChannelLogout: BackChannelLogout;
  readonly providerAdministration: ProviderAdministration;
  readonly providerSignOut: ProviderSignOut;
}> {
  const { platform } = config;
  const { registration } = platform.registration;
  const listed = listedProviders(platform.identityProviders);
  const seal = createSeal(secrets.auth);
  const settle = createSettle({
    database,
    audit,
    openSignIn,
    ...keyMaking,
    mayRegister: (email) => mayRegister(registration, email),
    announcements,
    syncTeams: createTeamSync({ audit }),
    sealSession: createSealProviderSession({ seal }),
  });
  const samlProviders = await createSamlProviders(listed.saml, { database, publicUrl, seal });
  const providers = [...(await createProviders({ ...platform, listedProviders: listed.oidc })), ...samlProviders];
  const announceEnded = createAnnounceEnded(shared);
  const shown = platform.identityProviders.map(({ id }) => id);
  // In list order. Providers with separate settings, which are not in the list, come first.
  providers.sort((one, other) => shown.indexOf(one.id) - shown.indexOf(other.id));
  return {
    providerAdministration: createProviderAdministration({ providers, database, publicUrl }),
    providerSignOut: createProviderSignOut({ providers, seal, publicUrl, logger: log }),
    oauth: createOAuthSignIn({
      providers,
      pending: createPendingSignIns(secrets.auth),
      settle,
      shared,
      database,
      audit,
      publicUrl,
      logger: log,
    }),
    saml: createSamlCallback({
      providers: samlProviders,
      shared,
      database,
      audit,
      settle,
      announceEnded,
      logger: log,
    }),
    backChannelLogout: createBackChannelLogout({ providers, database, audit, shared, announceEnded, logger: log }),
  };
}
