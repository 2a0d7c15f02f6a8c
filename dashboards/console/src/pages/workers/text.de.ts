import type { Translation } from '../../language/catalogue.ts';
import { numberText } from '../../language/numbers.ts';
import type { WORKERS_TEXT } from './text.ts';

export const WORKERS_GERMAN: Translation<typeof WORKERS_TEXT> = {
  title: 'Worker',
  list: 'Warteschlangen der Worker',
  refresh: 'Aktualisieren',
  hint: 'Ihre eigenen Prozesse erledigen diese Aufgaben von Workflows („call: trapline.worker“). Sie benötigen einen Schlüssel mit dem Scope tasks:work.',
  columns: {
    queue: 'Warteschlange',
    account: 'Konto',
    state: 'Status',
    waiting: 'Wartend',
    leased: 'In Arbeit',
    oldest: 'Älteste wartet',
    workers: 'Worker',
  },
  count: numberText,
  counts: (waiting, leased) => `${waiting} wartend, ${leased} in Arbeit`,
  states: { idle: 'Leer', working: 'In Arbeit', waiting: 'Wartend', noWorker: 'Kein Worker' },
  none: 'Keiner in 24 h',
  busy: (name, leased) => `${name} (${leased})`,
  empty:
    'Noch keine Warteschlangen. Eine erscheint, wenn ein Workflow einen Worker aufruft oder ein Worker Aufgaben anfordert.',
};
