import type { Translation } from '../language/catalogue.ts';
import { numberText } from '../language/numbers.ts';
import type { APP_TEXT } from './text.ts';

export const APP_GERMAN: Translation<typeof APP_TEXT> = {
  product: 'Trapline',
  skip: 'Zum Inhalt springen',
  navigation: 'Navigation',
  groups: {
    Detection: 'Erkennung',
    Automation: 'Automatisierung',
    Account: 'Konto',
    Administration: 'Verwaltung',
  },
  sections: {
    detections: 'Erkennungen',
    events: 'Ereignisse',
    hosts: 'Hosts',
    deadLetters: 'Dead Letters',
    rules: 'Regeln',
    exceptions: 'Ausnahmen',
    outputs: 'Ausgaben',
    workflows: 'Workflows',
    executions: 'Ausführungen',
    approvals: 'Freigaben',
    agents: 'Agenten',
    firstSteps: 'Erste Schritte',
    keys: 'Schlüssel und Nutzung',
    system: 'System',
    users: 'Benutzer',
    auditLog: 'Audit-Log',
    detectors: 'Detektoren',
    cases: 'Fälle',
    teams: 'Teams',
  },
  waiting: {
    count: numberText,
    more: (count) => `${numberText(count)}+`,
    named: (count) => `(${count} offen)`,
    some: '(einige offen)',
  },
  account: {
    facts: (email, role) => `${email}, ${role}`,
    profile: 'Profil',
    colours: 'Farbschema',
    schemes: { light: 'Hell', dark: 'Dunkel', auto: 'Wie im System' },
    language: 'Sprache',
    browserLanguage: 'Wie im Browser',
    zone: 'Zeiten',
    zones: { local: (name) => `Ortszeit (${name})`, utc: () => 'UTC' },
    signOut: 'Abmelden',
  },
  shortcuts: {
    title: 'Tastenkürzel',
    show: 'Tastenkürzel anzeigen',
    goTo: (page) => `Zu ${page} gehen`,
    close: 'Schließen',
  },
  loading: 'Wird geladen',
  delayed: (seconds) => `Ratenlimit fast erreicht: Anfragen werden um ${seconds} s verzögert`,
  inUtc: 'UTC',
  exceptionRequests: (count) =>
    count === 1 ? '1 Antrag auf eine Ausnahme' : `${numberText(count)} Anträge auf Ausnahmen`,
};
