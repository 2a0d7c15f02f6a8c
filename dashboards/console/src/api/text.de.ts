import type { Translation } from '../language/catalogue.ts';
import { germanIssue } from './issue-text.de.ts';
import type { FAILURE_TEXT } from './text.ts';

export const FAILURE_GERMAN: Translation<typeof FAILURE_TEXT> = {
  titles: {
    console: 'Fehler in der Konsole',
    unreachable: 'Server nicht erreichbar',
    server: 'Serverfehler',
    rejected: 'Anfrage abgelehnt',
    byStatus: {
      401: 'Nicht angemeldet',
      403: 'Nicht erlaubt',
      404: 'Nicht gefunden',
      409: 'Konflikt',
      412: 'Konflikt',
      429: 'Zu viele Anfragen',
      503: 'Dienst nicht verfügbar',
    },
  },
  advice: {
    unreachable: 'Prüfen Sie, ob Trapline läuft und über das Netzwerk erreichbar ist, und versuchen Sie es erneut.',
    server: 'Versuchen Sie es erneut, oder senden Sie die Anfrage-ID an Ihren Administrator.',
    rejected: 'Korrigieren Sie die Eingabe, und versuchen Sie es erneut.',
    tooManyRequests: (seconds) => `Versuchen Sie es in ${seconds} s erneut.`,
    byStatus: {
      401: 'Ihre Sitzung ist beendet. Melden Sie sich erneut an.',
      403: 'Bitten Sie einen Administrator um Zugriff.',
      404: 'Das Objekt wurde möglicherweise entfernt. Gehen Sie zurück zur Liste.',
      409: 'Das Objekt wurde möglicherweise geändert, seit Sie es geladen haben. Laden Sie neu, und versuchen Sie es erneut.',
      412: 'Ein anderer Benutzer hat das Objekt geändert. Laden Sie neu, und versuchen Sie es erneut.',
      413: 'Die Anfrage ist größer, als der Server annimmt. Senden Sie sie in Teilen.',
      503: 'Der Server erholt sich ohne Neustart. Versuchen Sie es gleich erneut.',
    },
  },
  missingRole: (role, purpose) =>
    purpose === '' ? `Dafür brauchen Sie die Rolle ${role}` : `Sie brauchen die Rolle ${role}, um ${purpose}`,
  purposes: {
    scrapers: 'Scraper aufzurufen',
    'events:write': 'Ereignisse zu senden',
    'detections:read': 'Erkennungen, Ereignisse und Dead Letters zu sehen',
    'detections:write': 'Erkennungen zu bearbeiten und Dead Letters erneut zu verarbeiten',
    'detections:propose': 'Entscheidungen über Erkennungen vorzuschlagen',
    'cases:read': 'Fälle zu sehen',
    'cases:write': 'Fälle zu ändern',
    'workflows:read': 'Workflows zu sehen',
    'workflows:run': 'Workflows auszuführen',
    'workflows:write': 'Workflows zu ändern',
    'tasks:work': 'Aufgaben von Workflows zu erledigen',
    'agents:read': 'Agenten zu sehen',
    'agents:run': 'Agenten auszuführen',
    'agents:write': 'Agenten zu ändern',
    scim: 'Benutzer über SCIM zu verwalten',
    admin: '',
  },
  issue: germanIssue,
  noMessage: (status) => `Status ${status}`,
};
