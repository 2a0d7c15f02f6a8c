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
  log: 'Protokoll',
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
