import type { Translation } from '../../language/catalogue.ts';
import { numberText } from '../../language/numbers.ts';
import type { IDENTITY_PROVIDERS_TEXT } from './text.ts';

export const IDENTITY_PROVIDERS_GERMAN: Translation<typeof IDENTITY_PROVIDERS_TEXT> = {
  title: 'Identity-Provider',
  list: 'Identity-Provider',
  hint: 'Benutzer melden sich über diese Anbieter an. Der Betreiber richtet sie mit IDENTITY_PROVIDERS_FILE ein; eine Änderung braucht einen Neustart.',
  empty: 'Es ist kein Identity-Provider eingerichtet. Benutzer melden sich mit einem Passwort an.',
  columns: {
    name: 'Name',
    protocol: 'Protokoll',
    issuer: 'Aussteller',
    domains: 'Domains',
    signUp: 'Neue Konten',
    accounts: 'Konten',
  },
  protocols: { oidc: 'OpenID Connect', oauth: 'OAuth 2.0', saml: 'SAML 2.0' },
  anyDomain: 'Beliebig',
  signUp: { registration: 'Wie Registrierung', allowed: 'Erlaubt', closed: 'Nicht erlaubt' },
  accounts: numberText,
  titleOf: (name) => `Identity-Provider ${name}`,
  facts: {
    id: 'ID',
    callback: 'Callback-URL',
    consumer: 'Assertion-Consumer-URL',
    metadata: 'Metadaten-URL',
    logout: 'Abmelde-URL',
    linking: 'Verknüpfte Konten',
    roles: 'Rollen',
    teams: 'Teams',
    certificate: 'Zertifikat',
  },
  linking: {
    unlinked: 'Gleiche bestätigte Adresse, ohne anderen Anbieter',
    'verified-email': 'Gleiche bestätigte Adresse',
    never: 'Keine',
  },
  roleOf: (value, role) => `${value}: ${role}`,
  endsAt: 'Gültig bis',
  ended: 'Abgelaufen',
  test: {
    action: 'Verbindung testen',
    ok: 'Der Anbieter antwortet.',
    failed: 'Der Anbieter kann nicht verwendet werden',
  },
};
