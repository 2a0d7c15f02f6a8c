import type { Translation } from '../../language/catalogue.ts';
import { counted } from '../../parts/counted.ts';
import type { DETECTORS_TEXT } from './text.ts';

export const DETECTORS_GERMAN: Translation<typeof DETECTORS_TEXT> = {
  title: 'Detektoren',
  list: 'Detektoren',
  create: 'Host registrieren',
  empty:
    'Es sind keine Hosts registriert. Registrieren Sie einen Host, um seine Ereignisse zu empfangen und zu sehen, wenn sein Detektor nichts mehr meldet.',
  silent: (silent, enrolled) =>
    `${silent} von ${counted(enrolled, 'Detektor', 'Detektoren')} seit mindestens 5 Minuten stumm`,
  none: '–',
  never: 'nie',
  states: {
    active: 'Aktiv',
    lossy: 'Ereignisse verloren',
    rejected: 'Ereignisse abgelehnt',
    waiting: 'Noch nicht gemeldet',
    silent: 'Stumm',
  },
  columns: {
    host: 'Host',
    state: 'Status',
    lastReport: 'Letzte Meldung',
    lag: 'Rückstand',
    lost: 'Verloren',
    version: 'Version',
    settings: 'Kernel-Einstellungen',
  },
  phone: (version, lag, lost) => `${version} · Rückstand ${lag} · ${lost} verloren`,
  details: {
    title: (hostname) => `Detektor auf ${hostname}`,
    host: 'Host',
    state: 'Status',
    version: 'Version',
    source: 'Quelle',
    key: 'Schlüsselpräfix',
    enrolled: 'Registriert',
    lastReport: 'Letzte Meldung',
    lag: 'Rückstand',
    lagOf: (duration) => `${duration} (Alter des ältesten Ereignisses, das der Server noch nicht angenommen hat)`,
    lost: 'Verlorene Datensätze',
    lostOf: (records) => `${records} (Kernel-Log überschrieben, bevor es gelesen wurde)`,
    dropped: 'Verworfene Ereignisse',
    droppedOf: (events) => `${events} (Spool voll)`,
    refused: 'Abgelehnte Ereignisse',
    refusedOf: (events) => `${events} (auf dem Host in rejected.ndjson aufbewahrt)`,
    settings: 'Kernel-Einstellungen',
  },
  revocation: {
    action: 'Widerrufen',
    question: (hostname) => `Detektor auf ${hostname} widerrufen?`,
    confirm: 'Detektor widerrufen',
    consequence:
      'Der Schlüssel dieses Hosts wird innerhalb einer Sekunde abgelehnt, und der Host verschwindet aus der Liste. Seine Ereignisse bleiben erhalten. Neue Ereignisse warten auf dem Host, bis er wieder registriert wird.',
  },
  form: {
    title: 'Host registrieren',
    hostname: 'Hostname (optional)',
    hostnameHint: 'Nur dieser Host kann das Token verwenden. Erforderlich, um einen Host erneut zu registrieren',
    hostnamePlaceholder: 'z. B. web-01',
    validFor: 'Token gültig für',
    periods: [
      { value: '60', label: '1 Stunde' },
      { value: '1440', label: '1 Tag' },
      { value: '10080', label: '7 Tage' },
    ],
    submit: 'Token erstellen',
    done: 'Fertig',
  },
  token: {
    title: 'Registrierungs-Token erstellt',
    hint: 'Das Token wird nur einmal angezeigt und gilt einmal. Installieren Sie das Detektor-Paket, und führen Sie dann auf dem Host als root aus:',
    label: 'Registrierungsbefehl',
    command: (server, token, hostname) =>
      [
        `trapline-detector enroll ${server} ${token}${hostname === undefined ? '' : ` --hostname ${hostname}`}`,
        'systemctl restart trapline-detector',
      ].join('\n'),
    expires: 'Gültig bis',
    settings: (server) => `TRAPLINE_URL in /etc/trapline/detector.env muss ${server} sein.`,
  },
};
