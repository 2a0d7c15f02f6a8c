import type { Translation } from '../../language/catalogue.ts';
import { counted } from '../../parts/counted.ts';
import type { KEYS_TEXT } from './text.ts';

const requests = (count: number) => counted(count, 'Anfrage', 'Anfragen');

export const KEYS_GERMAN: Translation<typeof KEYS_TEXT> = {
  title: 'Schlüssel & Nutzung',
  create: 'Schlüssel erstellen',
  list: 'Ihre Schlüssel',
  empty:
    'Sie haben keine Schlüssel. Erstellen Sie einen für einen Detektor, die Kommandozeile oder ein eigenes Programm.',
  never: 'nie',
  states: { active: 'Aktiv', revoked: 'Widerrufen', expired: 'Abgelaufen' },
  columns: { name: 'Name', key: 'Schlüssel', scopes: 'Scopes', lastUsed: 'Zuletzt verwendet', state: 'Zustand' },
  details: {
    title: (name) => `Schlüssel ${name}`,
    state: 'Zustand',
    prefix: 'Schlüsselpräfix',
    created: 'Erstellt',
    lastUsed: 'Zuletzt verwendet',
    expires: 'Läuft ab',
    scopes: 'Scopes',
  },
  revocation: {
    action: 'Widerrufen',
    question: (name) => `Schlüssel ${name} widerrufen?`,
    confirm: 'Schlüssel widerrufen',
    consequence:
      'Clients mit diesem Schlüssel werden innerhalb einer Sekunde abgelehnt. Sie können dies nicht rückgängig machen; erstellen Sie stattdessen einen neuen Schlüssel.',
  },
  form: {
    title: 'Schlüssel erstellen',
    name: 'Name',
    nameHint: 'Ein Name, an dem Sie diesen Schlüssel erkennen',
    namePlaceholder: 'z. B. Detektor auf web-01',
    scopes: 'Scopes',
    scopesHint: 'Gewähren Sie nur, was der Client braucht; mindestens einen',
    expires: 'Läuft ab',
    expiresHint: 'In Ihrer Zeitzone. Leer lassen, damit er nie abläuft',
    submit: 'Schlüssel erstellen',
    saved: 'Ich habe den Schlüssel gespeichert',
  },
  permits: {
    scrapers: 'Scraper aufrufen und hochgeladene Dateien abrufen',
    'events:write': 'Ereignisse senden (Detektor-Schlüssel)',
    'detections:read': 'Ereignisse, Erkennungen und Dead Letters lesen',
    'detections:write': 'Erkennungen bearbeiten, Dead Letters wiederholen',
    'cases:read': 'Fälle, ihre Kommentare und Dateien lesen',
    'cases:write': 'Fälle eröffnen, ändern und kommentieren, Dateien hinzufügen',
    'detections:propose': 'Bearbeitung vorschlagen, die ein Analyst annimmt oder ablehnt',
    'workflows:read': 'Workflows und ihre Ausführungen lesen',
    'workflows:run': 'Workflows starten',
    'workflows:write': 'Workflows erstellen und freigeben',
    'tasks:work': 'Aufgaben von Workflows in einem eigenen Prozess ausführen (Schlüssel eines Workers)',
    'agents:read': 'Agenten und ihre Läufe lesen',
    'agents:run': 'Agenten starten',
    'agents:write': 'Agenten erstellen und ändern',
    scim: 'als Identity-Provider Benutzer und Gruppen verwalten (SCIM)',
    admin: 'Regeln und Ausnahmen ändern und alles aufrufen, was Administratoren mit einem Schlüssel aufrufen dürfen',
  },
  usage: {
    title: 'Ihre Anfragen in den letzten 24 Stunden',
    loading: 'Ihre Nutzung wird geladen',
    requests: 'Anfragen',
    failed: 'Abgelehnt oder fehlgeschlagen',
    description: (total, errors) =>
      `${requests(total)} in den letzten 24 Stunden, ${errors} abgelehnt oder fehlgeschlagen.`,
    summary: (total, errors) =>
      `${requests(total)} Ihrer Sitzungen und Schlüssel, ${errors} abgelehnt oder fehlgeschlagen.`,
  },
};
