import type { Translation } from '../../language/catalogue.ts';
import { numberText } from '../../language/numbers.ts';
import { counted } from '../../parts/counted.ts';
import type { RULES_TEXT } from './text.ts';

const withSilenced = (count: number, silenced: number) =>
  silenced === 0 ? numberText(count) : `${numberText(count)} (${numberText(silenced)} stummgeschaltet)`;

export const RULES_GERMAN: Translation<typeof RULES_TEXT> = {
  title: 'Regeln',
  rule: 'Regel',
  loading: 'Regeln werden geladen',
  loadingRule: 'Regel wird geladen',
  states: { on: 'Ein', off: 'Aus' },
  attack: (techniques) => techniques.map(({ technique, name }) => `${technique} ${name}`).join(', '),
  changed: (names) => `. Abweichend vom Standard: ${names.join(', ')}`,
  history: 'Änderungsverlauf',
  facts: {
    state: 'Status',
    severity: 'Schweregrad',
    attack: 'ATT&CK',
    detections: 'Erkennungen',
    version: 'Version',
    author: 'Zuletzt geändert von',
  },
  ofUser: 'Benutzerregel',
  userRuleHint: 'Ändern Sie diese Regel mit `trapline rules push`.',
  showDetections: 'Erkennungen anzeigen',
  technique: (technique, name, tactic) => `${technique} ${name} (Taktik ${tactic})`,
  runbook: { title: 'Runbook', nextChecks: 'Nächste Schritte', falsePositives: 'Bekannte Fehlalarme' },
  statistics: {
    title: 'Statistik',
    falseAlarms: (perMonth, forEach) =>
      `Erwartete Fehlalarme auf einem gewöhnlichen Host: ${perMonth} im Monat${forEach === null ? '' : `, dazu einer je ${forEach}`}.`,
    evasions: 'Bekannte Umgehungen',
    evasion: (evasion, price) => `${evasion}. Kosten für den Angreifer: ${price}`,
  },
  thresholds: {
    title: 'Schwellenwerte',
    columns: { name: 'Schwellenwert', value: 'Wert', default: 'Standard' },
    adminsOnly: 'Nur Administratoren können Schwellenwerte ändern.',
  },
  settings: {
    title: 'Einstellungen',
    enabled: 'Regel aktiv',
    severity: 'Schweregrad',
    severityByEvidence: 'Automatisch (nach den Belegen)',
    changed: (label) => `${label} – geändert`,
    hint: (name, duration) => (duration === undefined ? name : `${name}: ${duration}`),
    notANumber: 'Geben Sie eine Zahl ein, oder lassen Sie das Feld für den Standardwert leer',
    save: 'Speichern',
    discard: 'Änderungen verwerfen',
    unchanged: 'Keine Änderungen.',
    changes: (names) => `Nicht gespeicherte Änderungen: ${names.join(', ')}.`,
    saved: (rule) => `${rule} gespeichert. Die Einstellungen gelten in wenigen Sekunden für neue Ereignisse.`,
    default: 'Standard',
    on: 'ein',
    off: 'aus',
  },
  conflict: {
    loading: 'Änderungen werden geladen',
    title: 'Ein anderer Benutzer hat diese Regel geändert, während Sie sie bearbeitet haben',
    hint: 'Ihre Änderungen sind nicht gespeichert. Änderungen des anderen Benutzers:',
    columns: { name: 'Einstellung', before: 'Vorher', now: 'Jetzt', mine: 'Ihre' },
    merge: 'Meine Änderungen auf die aktuellen Einstellungen anwenden',
  },
  backtest: {
    label: 'Backtest',
    title: 'Backtest',
    range: 'Gespeicherte Ereignisse',
    ranges: { 1: 'Letzter Tag', 7: 'Letzte 7 Tage', 30: 'Letzte 30 Tage' },
    action: 'Backtest starten',
    stop: 'Stoppen',
    running: 'Läuft über gespeicherte Ereignisse (bis zu 30 s)',
    progress: 'Geprüfte Ereignisse',
    judged: (percent, judged, total) => `${percent} (${numberText(judged)} von ${numberText(total)} Ereignissen)`,
    seconds: (seconds) => `${seconds} s`,
    result: 'Ergebnis des Backtests',
    outdated: 'Die Einstellungen wurden seit diesem Backtest geändert. Starten Sie ihn erneut.',
    detections: (days) => `Erkennungen in ${days === '1' ? '1 Tag' : `${days} Tagen`}: `,
    count: withSilenced,
    current: (count, silenced) => `; aktuelle Einstellungen: ${withSilenced(count, silenced)}.`,
    events: (count) => `${counted(count, 'Ereignis', 'Ereignisse')} seit `,
    incomplete: '. Grenze erreicht: Nur die neuesten Ereignisse wurden verwendet.',
    complete: '.',
    added: 'Neu',
    removed: 'Nicht mehr erkannt',
    changed: 'Geändert',
    first: (count) => ` (die ersten ${count})`,
    before: 'Aktuell',
    after: 'Vorgeschlagen',
    subject: (procname, hostname) => `${procname ?? 'Kein Programm'} auf ${hostname ?? 'einem Host ohne Namen'}`,
    crashes: (count) => `, ${counted(count, 'Absturz', 'Abstürze')}, `,
    open: 'Öffnen',
    cancel: 'Abbrechen',
    cancelled: 'Backtest abgebrochen',
    starting: 'Wird gestartet',
    queued: (position) =>
      position === 1
        ? 'Als Nächster in der Warteschlange: startet, wenn der laufende Backtest endet'
        : `Position ${position} in der Warteschlange: startet nach ${position} anderen Backtests`,
  },
};
