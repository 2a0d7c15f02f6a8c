import type { Translation } from '../../language/catalogue.ts';
import type { EXCEPTIONS_TEXT } from './text.ts';

export const EXCEPTIONS_GERMAN: Translation<typeof EXCEPTIONS_TEXT> = {
  title: 'Ausnahmen',
  list: 'Ausnahmen',
  create: 'Ausnahme erstellen',
  preview: 'Vorschau einer Ausnahme',
  showRemoved: 'Entfernte anzeigen',
  empty: 'Keine Ausnahmen. Erstellen Sie eine, um eine wiederkehrende harmlose Erkennung stummzuschalten.',
  columns: { subject: 'Schaltet stumm', reason: 'Grund', expires: 'Läuft ab', state: 'Zustand' },
  never: 'nie',
  states: { active: 'Aktiv', expired: 'Abgelaufen', removed: 'Entfernt' },
  subject: {
    rule: (rule) => `Regel ${rule}`,
    program: (program) => `Programm ${program}`,
    file: (file) => `Datei ${file}`,
    host: (host) => `Host ${host}`,
    nothing: 'nichts',
  },
  details: {
    title: 'Ausnahme',
    silences: 'Schaltet stumm',
    reason: 'Grund',
    state: 'Zustand',
    expires: 'Läuft ab',
    created: 'Erstellt',
    removed: 'Entfernt',
    by: (user) => (user === null ? '' : ` von ${user}`),
    createdFrom: 'Erstellt aus',
    detection: 'Erkennung',
  },
  removal: {
    action: 'Entfernen',
    title: 'Diese Ausnahme entfernen?',
    consequence: (subject) =>
      `Sie schaltet stumm: ${subject}. Damit stummgeschaltete Erkennungen sind wieder offen und alarmieren, sobald sie neue Belege erhalten. Die Ausnahme bleibt unter „Entfernte anzeigen“ sichtbar.`,
    done: 'Ausnahme entfernt. Das wirkt innerhalb von Sekunden.',
  },
  file: {
    label: 'Ausnahmen in der Regeldatei',
    title: 'In der Regeldatei',
    hint: 'Diese haben Vorrang. Um sie zu ändern, bearbeiten Sie die Regeldatei auf dem Server.',
    item: (subject, reason) => `${subject}: ${reason}`,
  },
  form: {
    title: 'Neue Ausnahme',
    hint: 'Passende Erkennungen bleiben gespeichert, alarmieren aber nicht; das gilt auch für offene.',
    wildcards: [
      { wildcard: '*', matches: 'steht für beliebigen Text' },
      { wildcard: '?', matches: 'steht für ein Zeichen' },
    ],
    fields: {
      hostname: { label: 'Host', placeholder: 'build-*' },
      program: { label: 'Programm', placeholder: 'fuzz-target' },
      file: { label: 'Eingeblendete Datei', placeholder: '/srv/tests/*' },
      rule: { label: 'Regel', placeholder: 'stack-*' },
    },
    expires: 'Läuft ab',
    expiresHint: 'In Ihrer Zeitzone. Leer lassen, damit sie nie abläuft',
    reason: 'Grund (im Audit-Log sichtbar)',
    adminsOnly:
      'Nur Administratoren können Ausnahmen erstellen. Sie können in einer Vorschau sehen, was eine Ausnahme stummschalten würde.',
    showPreview: 'Vorschau anzeigen',
    submit: 'Ausnahme erstellen',
    missing: 'Geben Sie Host, Programm, Datei oder Regel ein',
  },
};
