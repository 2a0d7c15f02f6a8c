import type { Translation } from '../../language/catalogue.ts';
import { counted } from '../counted.ts';
import type { EXECUTION_TEXT } from './text.ts';

export const EXECUTION_GERMAN: Translation<typeof EXECUTION_TEXT> = {
  statuses: {
    created: 'Erstellt',
    pending: 'Ausstehend',
    running: 'Läuft',
    waiting: 'Wartet',
    finalizing: 'Wird abgeschlossen',
    completed: 'Abgeschlossen',
    failed: 'Fehlgeschlagen',
    cancelled: 'Abgebrochen',
    rejected: 'Abgelehnt',
    skipped: 'Übersprungen',
  },
  triggers: {
    api: 'API',
    cli: 'Kommandozeile',
    schedule: 'Zeitplan',
    webhook: 'Webhook',
    event: 'Ereignis',
    detection: 'Erkennung',
    workflow: 'anderer Workflow',
    agent: 'Agent',
    rerun: 'Wiederholung',
    replay: 'Wiederholung ab einem Schritt',
    'dry-run': 'Probelauf',
  },
  starter: {
    byUser: ' von ',
    byExecution: ', Auslöser: ',
    by: (what) => `, Auslöser: ${what}`,
    notes: (notes) => (notes.length === 0 ? '' : ` (${notes.join(', ')})`),
    console: 'Konsole',
    key: (label) => `API-Schlüssel ${label}`,
    anyKey: 'API-Schlüssel',
    deletedUser: 'gelöschter Benutzer',
  },
  log: 'Protokoll',
  line: (text) => {
    for (const [english, german] of LINES) if (english.test(text)) return text.replace(english, german);
    return text;
  },
  levels: { status: 'Status' },
  finished: 'Beendet',
  live: 'Live',
  reconnecting: 'Verbindung unterbrochen. Wird wiederhergestellt …',
  step: (name) => ` (${name})`,
  noSteps: 'Noch keine Schritte.',
  steps: 'Schritte',
  columns: { step: 'Schritt', status: 'Status', duration: 'Dauer', timeline: 'Zeitachse' },
  attempt: (attempt) => `, Versuch ${attempt}`,
  days: (count) => counted(count, 'Tag', 'Tage'),
  running: '…',
  error: 'Fehler des Schritts',
  input: 'Eingabe des Schritts',
  output: 'Ausgabe des Schritts',
  more: (count) => counted(count, 'weiterer Schritt', 'weitere Schritte'),
};

/** Lines that the engine adds to the output of scripts, with their German text. */
const LINES: readonly (readonly [english: RegExp, german: string])[] = [
  [/^more than (\d+) lines: the rest is left out$/, 'mehr als $1 Zeilen: Der Rest ist ausgelassen'],
  [
    /^tools\.(\S+), which the script did not await, did not end within (\d+) ms after the script; whether it took effect is unknown$/,
    'tools.$1, auf das das Skript nicht gewartet hat, endete nicht innerhalb von $2 ms nach dem Skript; ob es gewirkt hat, ist unbekannt',
  ],
  [
    /^tools\.(\S+), which the script did not await, failed: (.*)$/s,
    'tools.$1, auf das das Skript nicht gewartet hat, ist fehlgeschlagen: $2',
  ],
  [
    /^(\d+) more calls that the script did not await failed$/,
    '$1 weitere Aufrufe, auf die das Skript nicht gewartet hat, sind fehlgeschlagen',
  ],
];
