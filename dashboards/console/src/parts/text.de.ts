import type { Translation } from '../language/catalogue.ts';
import { numberText } from '../language/numbers.ts';
import { counted } from './counted.ts';
import type { PARTS_TEXT } from './text.ts';

/** Signs need no translation. */
const SIGNS = { '>=': '≥', '<=': '≤', '!=': '≠', '=': '=' } as const;

export const PARTS_GERMAN: Translation<typeof PARTS_TEXT> = {
  severities: { info: 'Info', low: 'Niedrig', medium: 'Mittel', high: 'Hoch', critical: 'Kritisch' },
  roles: { user: 'Benutzer', analyst: 'Analyst', admin: 'Administrator' },
  operator: 'Betreiber',
  unknownHost: 'unbekannter Host',
  close: 'Schließen',
  cancel: 'Abbrechen',
  loading: 'Wird geladen',
  loadingPage: 'Seite wird geladen',
  loadingPlot: 'Diagramm wird geladen',
  loadingNamed: (name) => `${name} wird geladen`,
  adminsOnly: {
    title: 'Nur für Administratoren',
    hint: (role) => `Für diese Seite benötigen Sie die Rolle Administrator. Ihre Rolle ist ${role}.`,
  },
  notFound: {
    title: 'Seite nicht gefunden',
    hint: 'Die Adresse ist falsch, oder das Objekt wurde entfernt.',
    home: 'Zur Startseite',
  },
  failure: {
    search: 'Suche:',
    line: (line) => `Zeile ${line}: `,
    console: 'Laden Sie die Seite neu. Wenn der Fehler bestehen bleibt, melden Sie ihn.',
    retry: 'Erneut versuchen',
    automatic: 'Die Konsole versucht es erneut, sobald der Server antwortet.',
    request: 'Anfrage-ID',
    toast: (message, advice) => `${message}. ${advice}`,
  },
  copy: {
    action: 'Kopieren',
    done: 'Kopiert',
    named: (label) => `Kopieren: ${label}`,
    value: (label) => `${label} kopieren`,
    unavailable: 'Der Browser blockiert das Kopieren. Markieren Sie den Text, und kopieren Sie ihn.',
  },
  secret: {
    title: 'Ihr API-Schlüssel',
    hint: 'Der Schlüssel wird nur einmal angezeigt. Bewahren Sie ihn in einem Passwortmanager auf; wenn Sie ihn verlieren, erstellen Sie einen neuen.',
    label: 'API-Schlüssel',
  },
  conflict: {
    title:
      'Ein anderer Benutzer hat dies geändert, während Sie es bearbeitet haben. Ihre Änderung ist nicht gespeichert',
    overwrite: 'Überschreiben',
    keepTheirs: 'Andere Version behalten',
    changes: 'Änderungen des anderen Benutzers',
    noChanges: 'Der Inhalt ist derselbe wie zuvor.',
  },
  diff: { same: 'Keine Unterschiede.' },
  list: {
    loading: (label) => `${label} werden geladen …`,
    loaded: (count) => `${numberText(count)} geladen, weitere beim Scrollen`,
    total: (count) => `Gesamt: ${numberText(count)}`,
    ofAllTime: (text) => `${text} (gesamter Zeitraum)`,
    loadFailed: 'Weitere Einträge konnten nicht geladen werden. Erneut versuchen',
  },
  download: {
    action: 'Herunterladen',
    all: 'Alle passenden',
    latest: (count) => `Neueste ${numberText(count)}`,
    formats: {
      json: 'JSON',
      ndjson: 'NDJSON',
      csv: 'CSV',
      v1: 'V1-Ereignisse',
      ecs: 'ECS',
      cef: 'CEF',
      ocsf: 'OCSF',
      parquet: 'Parquet',
    },
  },
  histogram: {
    empty: (nothing) => `${nothing} im Zeitverlauf`,
    description: (total, max, at, step) => `${total} im Zeitverlauf; Maximum ${max} in den ${step} ab ${at}`,
  },
  series: {
    asTable: 'Als Tabelle',
    table: (title) => `${title}, Tabelle`,
    time: 'Zeit',
    noData: 'Keine Daten',
    value: (label, value) => `${label}: ${value}`,
  },
  time: {
    label: 'Zeitraum',
    all: 'Gesamt',
    custom: 'Eigener Zeitraum',
    from: 'Von',
    to: 'Bis',
    ranges: {
      '1h': 'Letzte Stunde',
      '24h': 'Letzte 24 Stunden',
      '7d': 'Letzte 7 Tage',
      '30d': 'Letzte 30 Tage',
      '365d': 'Letztes Jahr',
    },
    inUtc: (label) => `${label} (UTC)`,
    example: '1. März 2026 09:05',
    calendar: 'Kalender öffnen',
    notUnderstood: 'Geben Sie Datum und Zeit ein, etwa 1. März 2026 09:05 oder 2026-03-01 09:05',
    tooltip: (ago, at) => `${ago} · ${at}`,
    within: {
      '1h': 'in der letzten Stunde',
      '24h': 'in den letzten 24 Stunden',
      '7d': 'in den letzten 7 Tagen',
      '30d': 'in den letzten 30 Tagen',
      '365d': 'im letzten Jahr',
    },
    between: (from, to) => `von ${from} bis ${to}`,
    since: (from) => `seit ${from}`,
    until: (to) => `bis ${to}`,
    total: 'insgesamt',
    day: (day, month) => `${day}. ${month}`,
  },
  filter: {
    exact: 'exakt',
    any: 'Alle',
    several: (count) => `${numberText(count)} ausgewählt`,
    named: (label, text) => `${label}: ${text}`,
    clear: 'Zurücksetzen',
    chips: 'Weitere Filter',
    included: (name, value) => `${name}: ${value}`,
    excluded: (name, value) => `${name} nicht ${value}`,
    condition: (name, sign, value) => `${name} ${SIGNS[sign]} ${numberText(value)}`,
    remove: (filter) => `Filter ${filter} entfernen`,
  },
  value: {
    actions: (value) => `Aktionen für ${value}`,
    named: (label, value) => `${label}: ${value}`,
    column: 'Werte',
    choices: {
      for: 'Nach diesem Wert filtern',
      out: 'Diesen Wert ausschließen',
      atLeast: 'Ab diesem Wert filtern',
      atMost: 'Bis zu diesem Wert filtern',
      from: 'Ab dieser Zeit filtern',
      until: 'Bis zu dieser Zeit filtern',
    },
    copy: 'Wert kopieren',
    open: {
      detection: 'Erkennung öffnen',
      case: 'Fall öffnen',
      rule: 'Regel öffnen',
      workflow: 'Workflow öffnen',
      agent: 'Agent öffnen',
      output: 'Ausgabe öffnen',
      user: 'Benutzer öffnen',
    },
    openHost: 'Host öffnen',
    openProgram: 'Programm öffnen',
    relatedEvents: 'Zugehörige Ereignisse',
  },
  undo: { action: 'Rückgängig', key: 'z', shortcut: 'Letzte Änderung rückgängig machen (innerhalb von 10 Sekunden)' },
  process: {
    executable: 'Programmdatei',
    buildId: 'Build-ID',
    uid: 'Benutzer-ID',
    parent: 'Elternprozess',
    unit: 'Unit',
    container: 'Container',
    pod: 'Pod',
  },
  search: {
    label: 'Suche',
    help: 'Suchsyntax',
    example: 'procname:nginx',
    columns: { write: 'Suche', finds: 'Findet' },
    examples: [
      ['nginx', 'das Wort in einem beliebigen Feld'],
      ['"stack smashing"', 'Text mit Leerzeichen'],
      ['hostname:web-1', 'den genauen Wert'],
      ['hostname:web-*', 'ein Muster: * steht für beliebigen Text, ? für ein Zeichen'],
      ['ip:0x400000..0x4fffff', 'einen Bereich einschließlich seiner Grenzen'],
      ['time>=2026-03-01', 'einen Tag oder eine Zeit nach RFC 3339'],
      ['procname!=sshd', 'andere Werte oder keinen Wert'],
      ['file:null', 'keinen Wert'],
      ['a b, a or b, not a, (a or b) c', 'beides, eines von beiden, ohne, gruppiert'],
    ],
    fields: (fields) => `Felder: ${fields.join(', ')}`,
  },
  exceptions: {
    created: (silenced) =>
      silenced === null
        ? 'Ausnahme erstellt. Passende offene Erkennungen werden in wenigen Sekunden stummgeschaltet.'
        : silenced === 0
          ? 'Ausnahme erstellt. Keine offene Erkennung passt dazu.'
          : `Ausnahme erstellt. ${counted(silenced, 'offene Erkennung wurde', 'offene Erkennungen wurden')} stummgeschaltet.`,
    preview: 'Vorschau der Ausnahme',
    matches: (silenced, examined, complete, open) =>
      `Passt zu ${numberText(silenced)} von ${complete ? '' : 'den neuesten '}${counted(examined, 'Erkennung', 'Erkennungen')} (${numberText(open)} offen).`,
    detection: (rule, procname, hostname) =>
      [procname === null ? rule : `${rule}: ${procname}`, ...(hostname === null ? [] : [`auf ${hostname}`])].join(' '),
    latest: (count) => `Die neuesten ${count} werden angezeigt.`,
    approved: (silenced) =>
      silenced === null || silenced === 0
        ? 'Antrag genehmigt. Die Ausnahme ist aktiv.'
        : `Antrag genehmigt. ${counted(silenced, 'offene Erkennung wurde', 'offene Erkennungen wurden')} stummgeschaltet.`,
    requested: 'Antrag gesendet. Ein Administrator muss ihn genehmigen; noch ist nichts stummgeschaltet.',
  },
  completions: 'Vervollständigungen',
};
