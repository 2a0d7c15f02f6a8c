type Form = readonly [english: RegExp, german: string];

/** Delivery errors and results of receivers with their German text (`api/outputs`, `api/outbound`). */
const FORMS: readonly Form[] = [
  [/^the request could not be made$/, 'die Anfrage konnte nicht gestellt werden'],
  [/^the events could not be stored$/, 'die Ereignisse konnten nicht gespeichert werden'],
  [/^the receiver rejected the record: (.*)$/s, 'der Empfänger hat den Eintrag abgelehnt: $1'],
  [/^(.*) is not a regular file$/s, '$1 ist keine reguläre Datei'],
  [/^writing to the file timed out$/, 'das Schreiben in die Datei hat zu lange gedauert'],
  [/^appending to the file failed: (.*)$/s, 'das Anhängen an die Datei ist fehlgeschlagen: $1'],
  [
    /^the response does not have one item for each document$/,
    'die Antwort enthält nicht für jedes Dokument einen Eintrag',
  ],
  [/^the brokers did not acknowledge in time$/, 'die Broker haben nicht rechtzeitig bestätigt'],
  [/^the indexer has not acknowledged the events yet$/, 'der Indexer hat die Ereignisse noch nicht bestätigt'],
  [
    /^the response has no ackId: enable indexer acknowledgement for the token$/,
    'die Antwort hat keine ackId: Schalten Sie „Indexer Acknowledgement“ für das Token ein',
  ],
  [/^the receiver did not read everything in time$/, 'der Empfänger hat nicht rechtzeitig alles gelesen'],
  [
    /^the receiver closed the connection before it had read everything$/,
    'der Empfänger hat die Verbindung geschlossen, bevor er alles gelesen hatte',
  ],
  [/^the mail server was too slow$/, 'der Mailserver hat nicht rechtzeitig geantwortet'],
  [/^the mail could not be sent$/, 'die E-Mail konnte nicht gesendet werden'],
  [/^the messages could not be encoded as Parquet$/, 'die Nachrichten konnten nicht als Parquet kodiert werden'],
  [
    /^the secrets were encrypted with another AUTH_SECRET: set them again$/,
    'die Geheimnisse wurden mit einem anderen AUTH_SECRET verschlüsselt: Setzen Sie sie neu',
  ],
  [/^unexpected error: see the server log$/, 'unerwarteter Fehler: siehe Log des Servers'],

  // Requests to other hosts.
  [/^cannot connect to the server$/, 'keine Verbindung zum Server'],
  [/^the server requires a client certificate \((\S+)\)$/, 'der Server verlangt ein Client-Zertifikat ($1)'],
  [/^the server refused the client certificate \((\S+)\)$/, 'der Server hat das Client-Zertifikat abgelehnt ($1)'],
  [
    /^the host name resolves to something that is not an address$/,
    'die Auflösung des Hostnamens liefert etwas anderes als eine Adresse',
  ],
  [/^the address is not public \((.*)\)$/s, 'die Adresse ist nicht öffentlich ($1)'],
  [/^the host name cannot be resolved$/, 'der Hostname kann nicht aufgelöst werden'],
  [/^the host name has no address$/, 'der Hostname hat keine Adresse'],
  [/^the response is larger than (\d+) bytes$/, 'die Antwort ist größer als $1 Byte'],
  [
    /^the response has a content coding that was not requested$/,
    'die Antwort hat eine nicht angeforderte Inhaltskodierung',
  ],
  [/^the response cannot be decompressed$/, 'die Antwort kann nicht entpackt werden'],
  [/^the address is malformed$/, 'die Adresse ist fehlerhaft'],
  [/^only http and https addresses are permitted$/, 'nur Adressen mit http oder https sind zulässig'],
  [
    /^an address with a user or password is not permitted$/,
    'eine Adresse mit Benutzer oder Passwort ist nicht zulässig',
  ],
  [/^the address has no host$/, 'die Adresse hat keinen Host'],
  [
    /^port (\d+) is not permitted: of the ports below 1024 only 80 and 443 are$/,
    'Port $1 ist nicht zulässig: Von den Ports unter 1024 sind es nur 80 und 443',
  ],
  [
    /^port (\d+) is not permitted: it belongs to another protocol$/,
    'Port $1 ist nicht zulässig: Er gehört zu einem anderen Protokoll',
  ],
  [/^a header is malformed$/, 'ein Header ist fehlerhaft'],
  [/^the header (\S+) cannot be set$/, 'der Header $1 kann nicht gesetzt werden'],
  [/^the request was aborted$/, 'die Anfrage wurde abgebrochen'],
  [/^the request timed out$/, 'die Anfrage hat zu lange gedauert'],
  [/^the response headers are too large$/, 'die Header der Antwort sind zu groß'],
  [/^the response is incomplete or not HTTP$/, 'die Antwort ist unvollständig oder kein HTTP'],

  // Delivered messages.
  [/^1 event stored$/, '1 Ereignis gespeichert'],
  [/^(\d+) events stored$/, '$1 Ereignisse gespeichert'],
  [/^1 line written to (.*)$/s, '1 Zeile nach $1 geschrieben'],
  [/^(\d+) lines written to (.*)$/s, '$1 Zeilen nach $2 geschrieben'],
  [/^created (.*)$/s, '$1 angelegt'],
  [/^added a work note to (.*)$/s, 'Arbeitsnotiz zu $1 hinzugefügt'],
  [/^commented on (.*)$/s, '$1 kommentiert'],
  [/^(\S+) exists$/, '$1 ist vorhanden'],
  [/^the brokers stored 1 record in (.*)$/s, 'die Broker haben 1 Record in $1 gespeichert'],
  [/^the brokers stored (\d+) records in (.*)$/s, 'die Broker haben $1 Records in $2 gespeichert'],
  [/^HTTP 200: 1 document in (.*)$/s, 'HTTP 200: 1 Dokument in $1'],
  [/^HTTP 200: (\d+) documents in (.*)$/s, 'HTTP 200: $1 Dokumente in $2'],
  [/^HTTP 200: (\d+) accepted$/, 'HTTP 200: $1 angenommen'],
  [/^HTTP 200: (\d+) acknowledged$/, 'HTTP 200: $1 bestätigt'],
  [/^1 e-mail sent to the mail server$/, '1 E-Mail an den Mailserver gesendet'],
  [/^(\d+) e-mails sent to the mail server$/, '$1 E-Mails an den Mailserver gesendet'],
  [
    /^the receiver kept the connection open after (\d+) bytes over TLS$/,
    'der Empfänger hat nach $1 Byte über TLS die Verbindung offen gehalten',
  ],
  [
    /^the receiver kept the connection open after (\d+) bytes$/,
    'der Empfänger hat nach $1 Byte die Verbindung offen gehalten',
  ],
  [
    /^the receiver closed the connection after (\d+) bytes over TLS$/,
    'der Empfänger hat nach $1 Byte über TLS die Verbindung geschlossen',
  ],
  [
    /^the receiver closed the connection after (\d+) bytes$/,
    'der Empfänger hat nach $1 Byte die Verbindung geschlossen',
  ],
];

const ALLOW = '. Allow it with OUTBOUND_ALLOW on the server';
const ALLOW_GERMAN = '. Erlauben Sie sie mit OUTBOUND_ALLOW auf dem Server';

/** Failures of a connection, without their prefix and code (`schemas/connection-problem.ts`). */
const PROBLEMS: Readonly<Record<string, string>> = {
  'the connection was refused': 'die Verbindung wurde abgelehnt',
  'the other side closed the connection': 'die Gegenseite hat die Verbindung geschlossen',
  'the connection timed out': 'die Verbindung kam nicht rechtzeitig zustande',
  'there was no response in time': 'es kam keine rechtzeitige Antwort',
  'the response was not complete in time': 'die Antwort war nicht rechtzeitig vollständig',
  'the host is unreachable': 'der Host ist nicht erreichbar',
  'the network is unreachable': 'das Netz ist nicht erreichbar',
  'the host name cannot be resolved': 'der Hostname kann nicht aufgelöst werden',
  'the host name cannot be resolved now, because the name server does not respond':
    'der Hostname kann zurzeit nicht aufgelöst werden, weil der Nameserver nicht antwortet',
  'the TLS certificate has expired': 'das TLS-Zertifikat ist abgelaufen',
  'the TLS certificate is not valid yet': 'das TLS-Zertifikat ist noch nicht gültig',
  'the TLS certificate was revoked': 'das TLS-Zertifikat wurde widerrufen',
  'the TLS certificate is self-signed': 'das TLS-Zertifikat ist selbstsigniert',
  'the TLS certificate is signed by an authority that is not trusted':
    'das TLS-Zertifikat stammt von einer nicht vertrauenswürdigen Zertifizierungsstelle',
  'the TLS certificate is for another host name': 'das TLS-Zertifikat gilt für einen anderen Hostnamen',
  'the server does not use TLS there': 'der Server verwendet dort kein TLS',
  'the TLS handshake failed': 'der TLS-Handshake ist fehlgeschlagen',
};
/** What failed for such a reason. */
const ATTEMPTS: Readonly<Record<string, string>> = {
  'cannot connect to the server': 'keine Verbindung zum Server',
  'writing to the receiver failed': 'das Schreiben an den Empfänger ist fehlgeschlagen',
  'cannot send to the brokers': 'das Senden an die Broker ist fehlgeschlagen',
  'the mail server did not accept the mail': 'der Mailserver hat die E-Mail nicht angenommen',
};
const ATTEMPT = new RegExp(`^(${Object.keys(ATTEMPTS).join('|')}): (.*?)( \\(\\w+\\))?$`, 's');

function germanAttempt(text: string): string | undefined {
  const [, attempt = '', problem = '', code = ''] = ATTEMPT.exec(text) ?? [];
  return ATTEMPTS[attempt] && `${ATTEMPTS[attempt]}: ${PROBLEMS[problem] ?? problem}${code}`;
}

/** Returns the German text of a delivery result. Undefined for text from a receiver. */
export function germanDelivery(text: string): string | undefined {
  if (text.endsWith(ALLOW)) {
    const reason = germanDelivery(text.slice(0, -ALLOW.length));
    return reason && `${reason}${ALLOW_GERMAN}`;
  }
  const form = FORMS.find(([english]) => english.test(text));
  return form === undefined ? germanAttempt(text) : text.replace(...form);
}
