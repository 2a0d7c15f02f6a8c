import type { Translation } from '../../language/catalogue.ts';
import { numberText } from '../../language/numbers.ts';
import { counted } from '../../parts/counted.ts';
import type { DETECTION_TEXT } from './text.ts';

const crashes = (count: number) => counted(count, 'Absturz', 'Abstürze');
/** After a preposition with the dative. */
const crashesDative = (count: number) => counted(count, 'Absturz', 'Abstürzen');

export const DETECTION_GERMAN: Translation<typeof DETECTION_TEXT> = {
  title: 'Erkennung',
  automation: (name) => `Automatisierung ${name}`,
  verdicts: {
    true_positive: 'True Positive – ein Angriff',
    false_positive: 'False Positive – kein Angriff',
    benign: 'Gutartig – erwartete Aktivität',
  },
  verdictNames: { true_positive: 'True Positive', false_positive: 'False Positive', benign: 'gutartig' },
  silenced: 'Stummgeschaltet',
  actions: {
    acknowledge: 'Bestätigen',
    close: 'Schließen…',
    assignToMe: 'Mir zuweisen',
    createException: 'Ausnahme erstellen…',
  },
  keys: {
    acknowledge: 'Bestätigen',
    close: 'Mit einer Einstufung schließen',
    assignToMe: 'Mir zuweisen',
    createException: 'Ausnahme erstellen',
  },
  decided: {
    statuses: { new: 'Wieder geöffnet', acknowledged: 'Bestätigt', closed: 'Geschlossen' },
    verdict: (verdict) => `Einstufung: ${verdict}`,
    noVerdict: 'Einstufung entfernt',
    assigned: (assignee) => `${assignee} zugewiesen`,
    unassigned: 'Zuweisung entfernt',
    noteSaved: 'Notiz gespeichert',
    noteRemoved: 'Notiz entfernt',
    current: (status, verdict, assignee) =>
      [status, verdict, assignee === null ? 'nicht zugewiesen' : `${assignee} zugewiesen`]
        .filter((part) => part !== undefined)
        .join(', '),
  },
  story: {
    title: 'Was geschehen ist',
    instant: 'Alle Belege haben denselben Zeitstempel.',
    duration: (duration) => `Dauer: ${duration}.`,
    durationAndRate: (duration, rate) => `Dauer: ${duration} (durchschnittlich ${rate} Abstürze/s).`,
    unlogged: (logged, unlogged) =>
      `${crashes(logged)} protokolliert; der Kernel hat mindestens ${counted(unlogged, 'weitere Meldung', 'weitere Meldungen')} verworfen.`,
    addresses: (low, high, bytes, examined, areOffsets) =>
      `${areOffsets ? 'Geprüfte Offsets' : 'Geprüfte Adressen'}: ${low}–${high} (${bytes === 1n ? '1 Byte' : `${bytes} Bytes`}${examined.of > examined.stored ? `; ${examined.stored} von ${examined.of} Werten gespeichert` : ''}).`,
    silenced: 'Durch eine Ausnahme stummgeschaltet: gespeichert, aber ohne Alarm.',
  },
  plot: {
    instructionPointer: 'Instruktionszeiger im Zeitverlauf',
    register: (register) => `${register} im Zeitverlauf`,
    scales: { values: 'Adressen', mapping: 'Ganzes Mapping' },
    scale: 'Maßstab des Diagramms',
    loading: 'Diagramm wird geladen',
    offset: (register, base) => `Offset von ${register} ab ${base ?? 'dem Anfang des Mappings'}`,
    unnamedMapping: 'Mapping ohne Namen',
    places: (count) => `an ${count} Adressen eingeblendet`,
    bytes: (count) => counted(count, 'Byte', 'Bytes'),
    trap: '● Trap',
    signal: '○ Signal',
    unloggedPeriod: (count) => `▨ Zeitraum mit nicht protokollierten Abstürzen (≥ ${numberText(count)})`,
    elsewhere: (count, named) =>
      `${crashes(count)} ${named ? 'außerhalb dieses Mappings' : 'an entfernten Adressen'} ${count === 1 ? 'steht' : 'stehen'} nur in der Tabelle.`,
    unloggedLabel: (count) => `≥ ${count} nicht protokolliert`,
    summary: (register, count, low, high) =>
      `${register} in ${crashesDative(count)}, bei Offsets von ${low} bis ${high}`,
    unlogged: (count) => `; nicht protokollierte Abstürze: mindestens ${count}`,
    table: '. Die Tabelle darunter enthält alle.',
    newestOnly: (count) =>
      count === 1
        ? 'Das Diagramm zeigt das neueste Ereignis; die Tabelle enthält alle.'
        : `Das Diagramm zeigt die neuesten ${numberText(count)} Ereignisse; die Tabelle enthält alle.`,
  },
  signs: {
    title: 'Anzeichen',
    risk: (score, normalised, level) =>
      `Höchster Risikowert ${score} (${normalised} von 100, Stufe ${level}). Die Punkte gelten zum Zeitpunkt des neuesten Belegs dieser Erkennung.`,
    loading: 'Anzeichen werden geladen',
    empty: 'Diese Erkennungen sind nicht mehr gespeichert.',
    columns: { sign: 'Regel', program: 'Programm', points: 'Punkte', detections: 'Neuester Beleg' },
  },
  hosts: { title: 'Hosts', more: (count) => `und ${numberText(count)} weitere` },
  evidence: {
    title: 'Belege',
    list: 'Belege',
    openInEvents: 'In Ereignissen öffnen',
    hint: (program, hosts, count) =>
      `Alle Ereignisse ${hosts > 0 ? 'dieser Datei auf allen Hosts' : program ? 'dieses Programms' : 'dieses Hosts'} während des Angriffs; ${numberText(count)} davon haben die Regel ausgelöst.`,
    ofSigns: 'Alle Ereignisse dieses Hosts während des Alarms; die Anzeichen führen zu denen jeder Erkennung.',
    empty: 'Diese Ereignisse sind nicht mehr gespeichert.',
    count: (count) => counted(count, 'Ereignis', 'Ereignisse'),
    detections: (count) => counted(count, 'Erkennung', 'Erkennungen'),
  },
  values: {
    title: 'Werte',
    some: (shown, of) => `${numberText(shown)} von ${numberText(of)} verschiedenen Werten`,
  },
  runbook: {
    title: 'Runbook',
    loading: 'Runbook wird geladen',
    nextChecks: 'Nächste Schritte',
    falsePositives: 'Bekannte Fehlalarme',
  },
  event: {
    title: 'V1-Ereignis',
    show: 'Anzeigen',
    hide: 'Ausblenden',
    none: 'Diese Regel veröffentlicht kein V1-Ereignis.',
    label: 'Text des V1-Ereignisses',
  },
  decision: {
    title: 'Entscheidung',
    status: 'Status',
    verdict: 'Einstufung',
    noVerdict: 'Keine Einstufung',
    assignee: 'Zugewiesen an',
    unassigned: 'Nicht zugewiesen',
    note: 'Notiz',
    save: 'Speichern',
  },
  conflict: {
    title: (username) => `${username} hat dies geändert, während Sie es bearbeitet haben`,
    unknownUser: 'Ein anderer Benutzer',
    keep: (username) => `Version von ${username} behalten`,
    theirs: (username, change) => `${username}: ${change}`,
    yours: (change) => `Ihre Änderung, nicht gespeichert: ${change}`,
  },
  facts: {
    title: 'Fakten',
    rule: 'Regel',
    version: (version) => `, Version ${version}`,
    host: 'Host',
    program: 'Programm',
    file: 'Datei',
    firstSeen: 'Zuerst gesehen',
    lastSeen: 'Zuletzt gesehen',
    values: 'Verschiedene Werte',
    evidence: 'Belege',
    attack: 'ATT&CK',
    exception: 'Ausnahme',
    noException: 'keine',
    id: 'ID',
  },
  attack: (name, tactic) => `${name} (${tactic})`,
  history: {
    title: 'Verlauf',
    loading: 'Verlauf wird geladen',
    empty: 'Noch keine Entscheidungen.',
    none: 'keine',
    names: { status: 'Status', verdict: 'Einstufung', assignee: 'Zuweisung', note: 'Notiz' },
    values: {
      status: { new: 'neu', acknowledged: 'bestätigt', closed: 'geschlossen' },
      verdict: { true_positive: 'True Positive', false_positive: 'False Positive', benign: 'gutartig' },
    },
  },
  related: {
    title: (hostname) => `Weitere Erkennungen auf ${hostname}`,
    all: 'Alle anzeigen',
    loading: 'Erkennungen des Hosts werden geladen',
    empty: 'Keine weiteren Erkennungen auf diesem Host.',
    name: (rule, procname) => (procname === null ? rule : `${rule}: ${procname}`),
  },
  exception: {
    title: 'Ausnahme erstellen',
    close: 'Schließen',
    hint: 'Passende Erkennungen bleiben gespeichert, alarmieren aber nicht; das gilt auch für offene.',
    wildcards: [
      { wildcard: '*', matches: 'steht für beliebigen Text' },
      { wildcard: '?', matches: 'steht für ein Zeichen' },
    ],
    emptyField: 'ein leeres Feld passt zu allem',
    host: 'Host',
    program: 'Programm',
    file: 'Eingeblendete Datei',
    rule: 'Regel',
    expires: 'Läuft ab',
    afterDays: (days) => `Nach ${days} Tagen`,
    never: 'Nie',
    reason: 'Grund (im Audit-Log sichtbar)',
    cancel: 'Abbrechen',
    create: 'Erstellen',
    adminsOnly: 'Nur Administratoren können Ausnahmen erstellen.',
    link: 'Link für einen Administrator',
    loadingPreview: 'Vorschau wird geladen',
  },
};
