import { catalogue } from '../../language/catalogue.ts';
import { numberText } from '../../language/numbers.ts';

/** All texts of the page of identity providers. */
export const IDENTITY_PROVIDERS_TEXT = catalogue('identityProviders', {
  title: 'Identity providers',
  list: 'Identity providers',
  hint: 'Users sign in with these providers. The operator configures them with IDENTITY_PROVIDERS_FILE; a change needs a restart.',
  empty: 'No identity provider is configured. Users sign in with a password.',
  columns: {
    name: 'Name',
    protocol: 'Protocol',
    issuer: 'Issuer',
    domains: 'Domains',
    signUp: 'New accounts',
    accounts: 'Accounts',
  },
  protocols: { oidc: 'OpenID Connect', oauth: 'OAuth 2.0', saml: 'SAML 2.0' },
  anyDomain: 'Any',
  signUp: { registration: 'Same as registration', allowed: 'Allowed', closed: 'Not allowed' },
  accounts: numberText,
  titleOf: (name: string) => `Identity provider ${name}`,
  facts: {
    id: 'ID',
    callback: 'Callback URL',
    consumer: 'Assertion consumer URL',
    metadata: 'Metadata URL',
    logout: 'Logout URL',
    linking: 'Linked accounts',
    roles: 'Roles',
    teams: 'Teams',
    certificate: 'Certificate',
  },
  linking: {
    unlinked: 'Same verified address, without another provider',
    'verified-email': 'Same verified address',
    never: 'None',
  },
  roleOf: (value: string, role: string) => `${value}: ${role}`,
  endsAt: 'Valid until',
  ended: 'Expired',
  test: { action: 'Test connection', ok: 'The provider responds.', failed: 'The provider cannot be used' },
});
