import type { Translation } from '../../language/catalogue.ts';
import { numberText } from '../../language/numbers.ts';
import { counted } from '../../parts/counted.ts';
import { germanMessage } from './message.de.ts';
import type { DETECTION_TEXT } from './text.ts';

const crashes = (count: number) => counted(count, 'Absturz', 'Abstürze');
/** For use after a preposition with the dative. */
const crashesDative = (count: number) => counted(count, 'Absturz', 'Abstürzen');

export const DETECTION_GERMAN: Translation<typeof DETECTION_TEXT> = {
  title: 'Erkennung',
  automation: (name) => `Workflow ${name}`,
  verdicts: {
    true_positive: 'True Positive – ein Angriff',
    false_positive: 'False Positive – kein Angriff',
    benign: 'Harmlos – erwartete Aktivität',
  },
  verdictNames: { true_positive: 'True Positive', false_positive: 'False Positive', benign: 'harmlos' },
  silenced: 'Stummgeschaltet',
  actions: {
    acknowledge: 'Quittieren',
    close: 'Schließen …',
    assignToMe: 'Mir zuweisen',
    createException: 'Ausnahme erstellen …',
    label: 'Aktionen',
    reopen: 'Wieder öffnen',
  },
  keys: {
    acknowledge: 'Quittieren',
    close: 'Mit einer Einstufung schließen',
    assignToMe: 'Mir zuweisen',
    createException: 'Ausnahme erstellen',
    next: 'Nächste Erkennung der Liste',
    previous: 'Vorherige Erkennung der Liste',
    back: 'Zurück zur Liste',
  },
  walk: {
    label: 'Position in der Liste',
    previous: 'Vorherige Erkennung',
    previousTitle: 'Vorherige Erkennung (k)',
    next: 'Nächste Erkennung',
    nextTitle: 'Nächste Erkennung (j)',
    position: (position, loaded, hasMore) => `${numberText(position)} von ${numberText(loaded)}${hasMore ? '+' : ''}`,
  },
  decided: {
    statuses: { new: 'Wieder geöffnet', acknowledged: 'Quittiert', closed: 'Geschlossen' },
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
    title: 'Was ist passiert?',
    message: germanMessage,
    instant: 'Alle Belege haben denselben Zeitstempel.',
    duration: (duration) => `Dauer: ${duration}.`,
    durationAndRate: (duration, rate) => `Dauer: ${duration} (durchschnittlich ${rate} Abstürze/s).`,
    unlogged: (logged, unlogged) =>
      `${crashes(logged)} protokolliert; der Kernel hat mindestens ${counted(unlogged, 'weitere Meldung', 'weitere Meldungen')} verworfen.`,
    addresses: (low, high, bytes, examined, areOffsets) =>
      `${areOffsets ? 'Abgetastete Offsets' : 'Abgetastete Adressen'}: ${low}–${high} (${bytes === 1n ? '1 Byte' : `${numberText(bytes)} Byte`}${examined.of > examined.stored ? `; ${examined.stored} von ${examined.of} Werten gespeichert` : ''}).`,
    silenced: 'Durch eine Ausnahme stummgeschaltet: gespeichert, aber ohne Alarm.',
  },
  plot: {
    instructionPointer: 'Befehlszeiger im Zeitverlauf',
    accessedOverTime: 'Zugriffsadressen im Zeitverlauf',
    accessed: 'Zugriffsadresse',
    accessedOffset: (base) => `Offset der Zugriffsadresse ab ${base ?? 'dem Anfang des Mappings'}`,
    register: (register) => `${register} im Zeitverlauf`,
    scales: { values: 'Adressen', mapping: 'Ganzes Mapping' },
    scale: 'Maßstab des Diagramms',
    offset: (register, base) => `Offset von ${register} ab ${base ?? 'dem Anfang des Mappings'}`,
    unnamedMapping: 'Mapping ohne Namen',
    places: (count) => `an ${count} Adressen gemappt`,
    bytes: (count) => counted(count, 'Byte', 'Byte'),
    trap: 'Trap',
    signal: 'Signal',
    unloggedPeriod: (count) => `Zeitraum mit nicht protokollierten Abstürzen (≥ ${numberText(count)})`,
    elsewhere: (count, named) =>
      `${crashes(count)} ${named ? 'außerhalb dieses Mappings' : 'an entfernten Adressen'} ${count === 1 ? 'steht' : 'stehen'} nur in der Tabelle.`,
    unloggedLabel: (count) => `≥ ${numberText(count)} nicht protokolliert`,
    summary: (register, count, low, high) =>
      `${register} in ${crashesDative(count)}, bei Offsets von ${low} bis ${high}`,
    unlogged: (count) => `; nicht protokollierte Abstürze: mindestens ${count}`,
    table: '. Die Tabelle darunter enthält alle.',
    trapLine: 'Trap-Zeile',
    signalLine: 'Dump eines fatalen Signals',
    mappingStart: 'Anfang des Mappings',
    mappingEnd: 'Ende des Mappings',
  },
  signs: {
    title: 'Anzeichen',
    risk: (score, normalised, level) =>
      `Höchster Risikowert: ${score} (${normalised} von 100, Stufe ${level}). Punkte zum Zeitpunkt des neuesten Belegs.`,
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
      `Alle Ereignisse ${hosts > 0 ? 'dieser Datei auf den Hosts der Kampagne' : program ? 'dieses Programms' : 'dieses Hosts'} während des Angriffs; ${numberText(count)} davon haben die Regel ausgelöst.`,
    ofSigns:
      'Alle Ereignisse dieses Hosts während des Alarms. Öffnen Sie ein Anzeichen, um die Ereignisse einer Erkennung zu sehen.',
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
    assignee: 'Zuständig',
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
    title: 'Angaben',
    rule: 'Regel',
    version: (version) => `, Version\u00a0${version}`,
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
      status: { new: 'neu', acknowledged: 'quittiert', closed: 'geschlossen' },
      verdict: { true_positive: 'True Positive', false_positive: 'False Positive', benign: 'harmlos' },
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
    file: 'Gemappte Datei',
    rule: 'Regel',
    expires: 'Läuft ab',
    afterDays: (days) => `Nach ${days} Tagen`,
    never: 'Nie',
    reason: 'Grund (im Audit-Log sichtbar)',
    cancel: 'Abbrechen',
    create: 'Erstellen',
    loadingPreview: 'Vorschau wird geladen',
    needsApproval: 'Ein Administrator muss diese Ausnahme genehmigen. Bis dahin schaltet sie nichts stumm.',
    requestTitle: 'Ausnahme beantragen',
    request: 'Antrag senden',
  },
  automationFor: (owner) => ` für ${owner}`,
  figures: {
    label: 'Kennzahlen',
    crashes: 'Protokollierte Abstürze',
    unlogged: 'Nicht protokolliert',
    atLeast: (count) => `≥ ${numberText(count)}`,
    none: '0',
    duration: 'Dauer',
    instant: '< 1 s',
    addresses: 'Verschiedene Adressen',
    hosts: 'Hosts',
    risk: 'Risiko (0 bis 100)',
    signs: 'Erkennungen',
    reports: 'Meldungen',
    unknown: '–',
  },
  activity: {
    active: 'Noch aktiv',
    activeHint: (minutes) => `Belege in den letzten ${minutes} Minuten`,
    stopped: (duration) => `Beendet vor ${duration}`,
    minutes: (minutes) => `${minutes} min`,
    stoppedHint: 'Zeit seit dem neuesten Beleg',
  },
  picture: {
    noData: 'Keine Daten: Diese Ereignisse sind nicht mehr gespeichert.',
    keys: 'Datenpunkte. Die Pfeiltasten links und rechts bewegen, die Eingabetaste öffnet das Ereignis',
    pause: (duration) => `Pause von ${duration}`,
    newestOnly: (count) =>
      count === 1
        ? 'Das Diagramm zeigt das neueste Ereignis.'
        : `Das Diagramm zeigt die neuesten ${numberText(count)} Ereignisse.`,
  },
  canary: {
    title: 'Versuche im Zeitverlauf',
    caption: 'Abbrüche, aufsummiert: Jedes falsch geratene Canary-Byte führt zu einem Abbruch',
    attempt: (number) => `Versuch ${numberText(number)}`,
    average: (attempts) => `durchschnittlich ${numberText(attempts)}`,
    max: (attempts) => `höchstens ${numberText(attempts)} (7 × 256)`,
    legend: 'Abbruch',
    expected: 'Nötige Versuche, um einen Canary zu erraten',
    progress: (attempts, max, average) =>
      attempts >= max
        ? `${numberText(attempts)} Versuche: Um einen Canary zu erraten, sind höchstens ${numberText(max)} nötig (7 Byte × 256). Betrachten Sie den Canary als bekannt.`
        : `${numberText(attempts)} von höchstens ${numberText(max)} Versuchen (7 Byte × 256); durchschnittlich sind ${numberText(average)} nötig.`,
    summary: (attempts, max) =>
      `${counted(attempts, 'Versuch', 'Versuche')} im Zeitverlauf; um einen Canary zu erraten, sind höchstens ${numberText(max)} nötig.`,
  },
  burst: {
    title: 'Unterdrückte Meldungen im Zeitverlauf',
    suppressed: (count) => `${counted(count, 'Meldung', 'Meldungen')} unterdrückt`,
    loggedCrash: 'Protokollierter Absturz',
    legendSuppressed: (count, crashes) =>
      `Unterdrückte Meldungen (${numberText(count)}${crashes > 0 && crashes !== count ? `, ≥ ${numberText(crashes)} Abstürze` : ''})`,
    legendLogged: (count) => `Protokollierte Abstürze (${numberText(count)})`,
    summary: (total, reports, logged) =>
      `${counted(total, 'unterdrückte Meldung', 'unterdrückte Meldungen')} in ${counted(reports, 'Bericht', 'Berichten')} und ${counted(logged, 'protokollierter Absturz', 'protokollierte Abstürze')}.`,
  },
  lanes: {
    others: (count) => `${numberText(count)} weitere`,
    unnamedHost: 'Host ohne Namen',
    unnamedSetting: 'Einstellung ohne Namen',
    hosts: 'Abstürze je Host im Zeitverlauf',
    hostsSummary: (count, hosts) => `${crashes(count)} auf ${counted(hosts, 'Host', 'Hosts')} im Zeitverlauf.`,
    places: 'Abstürze je Stelle im Zeitverlauf',
    events: 'Ereignisse je Typ im Zeitverlauf',
    placesSummary: (count, places) =>
      `${counted(count, 'Ereignis', 'Ereignisse')} im Zeitverlauf, an ${counted(places, 'Stelle', 'Stellen')}.`,
    settings: 'Geänderte Einstellungen im Zeitverlauf',
    settingLegend: 'Gemeldete Änderung',
    settingsSummary: (count, settings) =>
      `${counted(count, 'Meldung', 'Meldungen')} im Zeitverlauf zu ${counted(settings, 'Einstellung', 'Einstellungen')}.`,
    faults: 'Kernel-Fehler je Funktion im Zeitverlauf',
    unnamedFunction: 'unbekannte Funktion',
    faultLegend: 'Kernel-Fehler',
    faultsSummary: (count, functions) =>
      `${counted(count, 'Kernel-Fehler', 'Kernel-Fehler')} im Zeitverlauf, in ${counted(functions, 'Funktion', 'Funktionen')}.`,
    signs: 'Anzeichen im Zeitverlauf',
    signLegend: 'Erkennung',
    signPoints: (points) => `${numberText(points)} Punkte`,
    signsSummary: (count, signs) =>
      `${counted(count, 'Erkennung', 'Erkennungen')} im Zeitverlauf, von ${counted(signs, 'Anzeichen', 'Anzeichen')}.`,
  },
  proposals: {
    title: 'Von einem Assistenten vorgeschlagen',
    by: (username, actor) => (actor.startsWith('key:') ? `${username}, Schlüssel ${actor.slice(4)}` : username),
    accept: 'Annehmen',
    decline: 'Ablehnen',
    accepted: 'Vorschlag angenommen',
    declined: 'Vorschlag abgelehnt',
  },
};
