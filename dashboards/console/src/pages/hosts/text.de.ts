import type { Translation } from '../../language/catalogue.ts';
import { numberText } from '../../language/numbers.ts';
import { counted } from '../../parts/counted.ts';
import type { HOSTS_TEXT } from './text.ts';

export const HOSTS_GERMAN: Translation<typeof HOSTS_TEXT> = {
  title: 'Hosts',
  list: 'Hosts',
  hostTitle: (hostname) => `Host ${hostname}`,
  search: 'Hosts suchen',
  name: 'Name',
  namePlaceholder: 'Teil des Namens',
  columns: {
    host: 'Host',
    program: 'Programm',
    programs: 'Programme',
    lastEvent: 'Letztes Ereignis',
    events: 'Ereignisse',
    crashes: 'Abstürze',
    openDetections: 'Offene Erkennungen',
    risk: 'Risiko',
  },
  figures: {
    events: 'Ereignisse',
    crashes: 'Abstürze',
    programs: 'Programme',
    detections: 'Erkennungen',
    openDetections: 'Offene Erkennungen',
    risk: 'Risiko',
  },
  risk: {
    levels: { Critical: 'Kritisch', High: 'Hoch', Moderate: 'Mäßig', Low: 'Niedrig', Unknown: 'Minimal' },
    of: (normalised, level) => `${Math.round(normalised)} ${level}`,
    fact: 'Risiko (0 bis 100)',
  },
  unnamed: 'kein Hostname',
  empty: 'Noch kein Host hat ein Ereignis gesendet.',
  emptyRange: 'Kein Host hat in diesem Zeitraum ein Ereignis gesendet. Wählen Sie einen längeren.',
  noMatch: 'Kein Host in diesem Zeitraum passt zu den Filtern.',
  noMatchingProgram: 'Kein Programm in diesem Zeitraum passt zu den Filtern.',
  connect: 'Detektor verbinden',
  openCount: { none: 'keine', of: (detections) => ` von ${numberText(detections)}` },
  showEvents: 'Ereignisse anzeigen',
  facts: {
    label: 'Kennzahlen',
    loading: 'Host wird geladen',
    lastEvent: 'Letztes Ereignis',
    firstEvent: 'Erstes Ereignis',
    events: 'Ereignisse',
    crashes: 'Abstürze',
    inPrograms: (programs) => `in ${counted(programs, 'Programm', 'Programmen')}`,
    openDetections: 'Offene Erkennungen',
    noEvents: (timeSpan) =>
      `Dieser Host hat ${timeSpan} keine Ereignisse gesendet. Wählen Sie einen längeren Zeitraum.`,
  },
  events: {
    title: 'Ereignisse im Zeitverlauf',
    loading: 'Ereignisse werden geladen',
    summary: (events, timeSpan) => `${counted(events, 'Ereignis', 'Ereignisse')} ${timeSpan}.`,
    series: {
      traps: 'Trap-Zeilen',
      signals: 'Fatale Signale',
      suppressed: 'Vom Kernel unterdrückte Meldungen',
      others: 'Andere Ereignisse',
    },
  },
  detections: {
    title: 'Erkennungen',
    list: 'Erkennungen auf dem Host',
    columns: {
      severity: 'Schweregrad',
      rule: 'Regel',
      program: 'Programm',
      status: 'Status',
      lastSeen: 'Zuletzt gesehen',
    },
    empty: 'Keine Erkennungen auf diesem Host.',
  },
  programs: {
    title: 'Programme',
    list: 'Programme auf dem Host',
    empty: 'Kein Ereignis in diesem Zeitraum nennt ein Programm.',
  },
};
