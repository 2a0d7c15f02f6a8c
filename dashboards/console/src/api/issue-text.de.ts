import type { ApiErrorCode } from '#schemas/api/error-envelope.ts';

/** Meaning of each error code of the API. */
const CODES: Readonly<Record<ApiErrorCode, string>> = {
  required: 'Eine Angabe fehlt',
  invalid_value: 'Ungültiger Wert',
  unauthorized: 'Nicht angemeldet',
  forbidden: 'Nicht erlaubt',
  other_host: 'Der Schlüssel gehört zu einem anderen Host',
  quota_exceeded: 'Ein Kontingent des Kontos ist ausgeschöpft',
  request_required: 'Ausnahmen müssen hier beantragt werden',
  own_request: 'Über den eigenen Antrag entscheidet eine andere Person',
  not_found: 'Nicht gefunden',
  not_acceptable: 'Kein verfügbares Format',
  request_timeout: 'Die Anfrage wurde nicht rechtzeitig vollständig übertragen',
  conflict: 'Im aktuellen Zustand nicht möglich',
  precondition_failed: 'Zwischenzeitlich geändert',
  payload_too_large: 'Die Anfrage ist zu groß',
  unsupported_media_type: 'Dieser Inhaltstyp wird nicht unterstützt',
  headers_too_large: 'Die Header sind zu groß',
  rate_limited: 'Ein Limit ist erreicht',
  internal: 'Interner Serverfehler',
  upstream_failed: 'Ein vom Server genutzter Dienst ist fehlgeschlagen',
  unavailable: 'Zurzeit nicht verfügbar',
};

/** Frequent messages of the API. */
export const MESSAGES: Readonly<Record<string, string>> = {
  'is required': 'Pflichtangabe',
  'there is no such parameter': 'Diesen Parameter gibt es nicht',
  'the value has none of the accepted forms': 'Der Wert hat keine der zulässigen Formen',
  'the value does not have the expected format': 'Der Wert hat nicht das erwartete Format',
  'the name of this field is not allowed': 'Der Name dieses Feldes ist nicht erlaubt',
  'must be in the future': 'Muss in der Zukunft liegen',
  'a session is needed': 'Anmeldung erforderlich',
  'a valid key or session is needed': 'Ein gültiger Schlüssel oder eine Anmeldung ist erforderlich',
  'no sign-in waits for a second factor: sign in again':
    'Keine Anmeldung wartet auf einen zweiten Faktor: Melden Sie sich erneut an',
  'wrong e-mail or password': 'E-Mail-Adresse oder Passwort ist falsch',
  'the password is wrong, or the account is locked': 'Das Passwort ist falsch, oder das Konto ist gesperrt',
  'the code is wrong, has expired or was used': 'Der Code ist falsch, abgelaufen oder wurde bereits verwendet',
  'this link is invalid or has expired: request a new one':
    'Dieser Link ist ungültig oder abgelaufen: Fordern Sie einen neuen an',
  'this link has expired, or an administrator already exists':
    'Dieser Link ist abgelaufen, oder es gibt bereits einen Administrator',
  'this address has an account already': 'Für diese Adresse gibt es bereits ein Konto',
  'this is the address of the account': 'Das Konto hat bereits diese Adresse',
  'this account is disabled: enable it first': 'Dieses Konto ist deaktiviert: Aktivieren Sie es zuerst',
  'the account has a second factor': 'Das Konto hat bereits einen zweiten Faktor',
  'the account has no authenticator app': 'Das Konto hat keine Authenticator-App',
  'this passkey is registered already': 'Dieser Passkey ist bereits registriert',
  'you cannot change your own role, or disable or end your own account':
    'Sie können weder Ihre eigene Rolle ändern noch Ihr eigenes Konto deaktivieren oder ablaufen lassen',
  'this name is taken': 'Dieser Name ist bereits vergeben',
  'it was changed since it was read: read it again': 'Seit dem Laden geändert: Laden Sie die Seite neu',
  'only administrators create exceptions here: request it instead':
    'Hier erstellen nur Administratoren Ausnahmen: Beantragen Sie die Ausnahme',
  'you requested this exception: another administrator has to decide':
    'Sie haben diese Ausnahme beantragt: Ein anderer Administrator muss entscheiden',
  'the request is no longer open': 'Über den Antrag wurde bereits entschieden',
  'the proposal is not open: it was accepted, declined or replaced':
    'Der Vorschlag ist nicht mehr offen: Er wurde angenommen, abgelehnt oder ersetzt',
  'too many proposals are open for this detection: decide about some':
    'Zu dieser Erkennung sind zu viele Vorschläge offen: Entscheiden Sie zuerst über einige davon',
  'you may read this workflow, but not run it: its owner can grant `run`':
    'Sie dürfen diesen Workflow ansehen, aber nicht starten: Sein Eigentümer kann die Berechtigung „Starten“ erteilen',
  'only its owner, administrators and users with the grant `edit` change a workflow':
    'Nur der Eigentümer, Administratoren und Benutzer mit der Berechtigung „Bearbeiten“ können einen Workflow ändern',
  'only its owner and administrators share a workflow':
    'Nur der Eigentümer und Administratoren können einen Workflow teilen',
  'you may read this execution, but not change it: the owner of the workflow can grant `run`':
    'Sie dürfen diese Ausführung ansehen, aber nicht ändern: Der Eigentümer des Workflows kann die Berechtigung „Starten“ erteilen',
  'you may read this execution, but not change it: the owner of the agent can grant `run`':
    'Sie dürfen diese Ausführung ansehen, aber nicht ändern: Der Eigentümer des Agenten kann die Berechtigung „Starten“ erteilen',
  'you may read this execution, but not change it: its owner can grant `run`':
    'Sie dürfen diese Ausführung ansehen, aber nicht ändern: Ihr Eigentümer kann die Berechtigung „Starten“ erteilen',
  'you may read this agent, but not run it: its owner can grant `run`':
    'Sie dürfen diesen Agenten ansehen, aber nicht starten: Sein Eigentümer kann die Berechtigung „Starten“ erteilen',
  'only its owner, administrators and users with the grant `edit` change an agent':
    'Nur der Eigentümer, Administratoren und Benutzer mit der Berechtigung „Bearbeiten“ können einen Agenten ändern',
  'only its owner and administrators share an agent':
    'Nur der Eigentümer und Administratoren können einen Agenten teilen',
  'only administrators may set a priority above 0': 'Nur Administratoren dürfen eine Priorität über 0 setzen',
  'change your own second factors in your profile': 'Ändern Sie Ihre eigenen zweiten Faktoren in Ihrem Profil',
  'you may read this workflow only': 'Sie dürfen diesen Workflow nur ansehen',
  'you may read this agent only': 'Sie dürfen diesen Agenten nur ansehen',
  'the workflow is deleted: a release makes it active again':
    'Der Workflow ist gelöscht: Veröffentlichen Sie eine Version, um ihn wieder zu aktivieren',
  'the filter chooses no execution': 'Keine Ausführung passt zum Filter',
  'the versions are the same': 'Die Versionen sind gleich: Es gibt nichts zu vergleichen',
  'too many executions are followed right now': 'Zurzeit werden zu viele Ausführungen verfolgt',
  'too many streams are open': 'Zu viele Streams sind geöffnet',
  'too many live feeds are open': 'Zu viele Live-Ansichten sind geöffnet',
  'too many passwords and keys are being checked right now': 'Zurzeit werden zu viele Passwörter und Schlüssel geprüft',
  'the limit of requests of this key is reached': 'Das Anfragelimit dieses Schlüssels ist erreicht',
  'the key is revoked or has expired: create another one':
    'Der Schlüssel ist widerrufen oder abgelaufen: Erstellen Sie einen neuen',
  'the key may not be used from this address': 'Der Schlüssel darf von dieser Adresse aus nicht verwendet werden',
  'this host is not enrolled': 'Dieser Host ist nicht registriert',
  'the service is not available right now': 'Der Dienst ist zurzeit nicht verfügbar',
  'the server is shutting down': 'Der Server wird heruntergefahren',
  'the server failed to process the request': 'Der Server konnte die Anfrage nicht verarbeiten',
  'the upstream service failed': 'Der vom Server genutzte Dienst ist fehlgeschlagen',
  'there is no such user': 'Diesen Benutzer gibt es nicht',
  'there is no such key': 'Diesen Schlüssel gibt es nicht',
  'there is no such file': 'Diese Datei gibt es nicht',
  'there is no such execution': 'Diese Ausführung gibt es nicht',
  'there is no such agent': 'Diesen Agenten gibt es nicht',
  'there is no such workflow': 'Diesen Workflow gibt es nicht',
  'there is no such team': 'Dieses Team gibt es nicht',
  'there is no such detection': 'Diese Erkennung gibt es nicht',
  'there is no detection with this id': 'Es gibt keine Erkennung mit dieser ID',
  'there is no case with this id': 'Es gibt keinen Fall mit dieser ID',
  'there is no output with this id': 'Es gibt keine Ausgabe mit dieser ID',
  'there is no such exception, or it was removed': 'Diese Ausnahme gibt es nicht, oder sie wurde entfernt',
  'there is no such comment, or it was deleted': 'Diesen Kommentar gibt es nicht, oder er wurde gelöscht',
};

type Form = readonly [english: RegExp, german: (...groups: string[]) => string];

const EXPECTED: Readonly<Record<string, string>> = {
  'a string': 'Text',
  'a number': 'eine Zahl',
  'a whole number': 'eine ganze Zahl',
  'true or false': 'true oder false',
  'an array': 'eine Liste',
  'an object': 'ein Objekt',
  null: 'null',
  'a date': 'ein Datum',
  'an RFC 3339 date-time such as 2026-03-01T12:00:00Z': 'ein Zeitpunkt wie 2026-03-01T12:00:00Z',
  'an RFC 3339 date-time': 'ein Zeitpunkt wie 2026-03-01T12:00:00Z',
  'a date such as 2026-03-01': 'ein Datum wie 2026-03-01',
  'an email address': 'eine E-Mail-Adresse',
  'a URL': 'eine URL',
  'a UUID': 'eine UUID',
  'an IPv4 address': 'eine IPv4-Adresse',
  'an IPv6 address': 'eine IPv6-Adresse',
  'an IPv4 range such as 192.0.2.0/24': 'ein IPv4-Bereich wie 192.0.2.0/24',
  'an IPv6 range such as 2001:db8::/32': 'ein IPv6-Bereich wie 2001:db8::/32',
  base64: 'Base64',
};
const UNITS: Readonly<Record<string, string>> = {
  character: 'Zeichen',
  characters: 'Zeichen',
  item: 'Eintrag',
  items: 'Einträge',
  entry: 'Eintrag',
  entries: 'Einträge',
  field: 'Feld',
  fields: 'Felder',
};
const bound = (word: string): string => (word === 'at least' ? 'Muss mindestens' : 'Darf höchstens');

/** Messages of request validation (schemas/plain-message.ts), and messages about unknown names. */
const FORMS: readonly Form[] = [
  [/^must be one of (.*)$/s, (values) => `Muss einer dieser Werte sein: ${values}`],
  [/^must be a multiple of (\S+)$/, (divisor) => `Muss ein Vielfaches von ${divisor} sein`],
  [/^must match (.*)$/s, (pattern) => `Muss dem Muster ${pattern} entsprechen`],
  [
    /^must have (at least|at most) (\S+) (characters?|items?|entr(?:y|ies)|fields?)$/,
    (word = '', limit, unit = '') => `${bound(word)} ${limit} ${UNITS[unit]} haben`,
  ],
  [
    /^must be (at least|at most) (\S+)$/,
    (word = '', limit) => (word === 'at least' ? `Muss mindestens ${limit} sein` : `Darf höchstens ${limit} sein`),
  ],
  [
    /^must be (above|below) (\S+)$/,
    (word, limit) => `Muss ${word === 'above' ? 'größer' : 'kleiner'} als ${limit} sein`,
  ],
  [/^unknown fields? ([^“].*)$/s, (names) => `Unbekannt: ${names}`],
  [
    /^unknown field “(.*)”, at character (\d+): did you mean (.*)\? Otherwise put the text in quotes$/s,
    (name, at, nearest) =>
      `Unbekanntes Feld „${name}“ (Zeichen ${at}): Meinten Sie ${nearest}? Setzen Sie sonst den Text in Anführungszeichen`,
  ],
  [
    /^unknown field “(.*)”, at character (\d+): use one of (.*), or put the text in quotes$/s,
    (name, at, known) =>
      `Unbekanntes Feld „${name}“ (Zeichen ${at}): Verwenden Sie eines von ${known}, oder setzen Sie den Text in Anführungszeichen`,
  ],
  [/^expected a search term, at character (\d+)$/, (at) => `Suchbegriff erwartet (Zeichen ${at})`],
  [/^expected a value, at character (\d+)$/, (at) => `Wert erwartet (Zeichen ${at})`],
  [
    /^this parenthesis is not closed, at character (\d+)$/,
    (at) => `Diese Klammer ist nicht geschlossen (Zeichen ${at})`,
  ],
  [
    /^there is no parenthesis to close, at character (\d+)$/,
    (at) => `Zu dieser Klammer fehlt die öffnende (Zeichen ${at})`,
  ],
  [
    /^the quoted text does not end, at character (\d+)$/,
    (at) => `Das schließende Anführungszeichen fehlt (Zeichen ${at})`,
  ],
  [/^there is no user named "(.*)"$/s, (user) => `Es gibt keinen Benutzer „${user}“`],
  [/^there is no team named "(.*)"$/s, (team) => `Es gibt kein Team „${team}“`],
];

/**
 * Returns the German text of an issue: the meaning of its code. Without a translation of the message, the English
 * message is added.
 */
export function germanIssue(code: string, message: string): string {
  const translated = MESSAGES[message] ?? ofForm(message);
  if (translated !== undefined) return translated;
  const meaning = (CODES as Readonly<Record<string, string>>)[code];
  return meaning === undefined ? message : `${meaning}: „${message}“`;
}

function ofForm(message: string): string | undefined {
  for (const [english, german] of FORMS) {
    const found = english.exec(message);
    if (found !== null) return german(...found.slice(1));
  }
  const [, value = ''] = /^must be (.*)$/s.exec(message) ?? [];
  return EXPECTED[value] === undefined ? undefined : `Muss ${EXPECTED[value]} sein`;
}
