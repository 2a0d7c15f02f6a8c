import type { Translation } from '../../language/catalogue.ts';
import { counted } from '../../parts/counted.ts';
import type { FIRST_STEPS_TEXT } from './text.ts';

export const FIRST_STEPS_GERMAN: Translation<typeof FIRST_STEPS_TEXT> = {
  title: 'Erste Schritte',
  refresh: 'Aktualisieren',
  loading: 'Stand der Schritte wird geladen',
  role: {
    title: 'Ihre Rolle ist Benutzer',
    hint: 'Sie können Workflows und Agenten starten und Scraper aufrufen. Um Ereignisse zu senden und Erkennungen zu lesen, benötigen Sie die Rolle Analyst: Wenden Sie sich an einen Administrator.',
  },
  finished: 'Alle Schritte sind erledigt.',
  unfinished: 'Führen Sie die Schritte der Reihe nach aus, und aktualisieren Sie nach jedem.',
  hint: 'Führen Sie die Befehle in einem Checkout von Trapline aus. Sie lesen den API-Schlüssel aus der Umgebung.',
  states: { done: 'Erledigt', next: 'Nächster Schritt', unseen: 'Für Ihre Rolle nicht sichtbar' },
  key: {
    title: 'Schlüssel erstellen',
    hint: 'Detektoren authentifizieren sich mit einem API-Schlüssel.',
    createFirst: 'Ersten Schlüssel erstellen',
    show: 'Schlüssel anzeigen oder erstellen',
    replace: '. Ersetzen Sie diesen Platzhalter durch den Schlüssel:',
    command: 'Umgebung der Befehle',
  },
  event: {
    title: 'Testereignis senden',
    hint: 'Ein harmloses Absturzereignis, das die Verbindung prüft. Senden Sie es von hier oder aus einem Terminal:',
    send: 'Testereignis senden',
    sent: 'Testereignis gespeichert: ein Absturz von test-event auf dem Host first-steps.',
    command: 'Testereignis mit curl',
    show: 'Ereignisse anzeigen',
    needed: 'Sie benötigen die Rolle Analyst und einen Schlüssel mit dem Scope events:write.',
  },
  detector: {
    title: 'Detektor verbinden',
    hint: 'Führen Sie dies auf jedem zu überwachenden Rechner aus. Der Detektor folgt dem Kernel-Log und stellt den Kernel so ein, dass er Abstürze protokolliert:',
    command: 'Detektor auf diesem Rechner',
    fromFile: 'Stattdessen aus einer Log-Datei:',
    fileCommand: 'Detektor aus einer Datei',
    demo: 'Um jetzt eine Erkennung zu sehen, spielen Sie die mitgelieferte Aufzeichnung eines echten Angriffs ab:',
    show: 'Erkennungen anzeigen',
  },
  demo: {
    replay: 'Angriff abspielen',
    remove: 'Demodaten entfernen',
    replayed: (events) => `Als Host demo gespeichert: ${counted(events, 'Ereignis', 'Ereignisse')}.`,
    removed: 'Demodaten entfernt.',
    removal: {
      title: 'Demodaten entfernen?',
      action: 'Entfernen',
      consequence:
        'Dies löscht alle Ereignisse und Erkennungen des Hosts demo, die aus der mitgelieferten Aufzeichnung stammen.',
    },
  },
  workflow: {
    title: 'Beispiel-Workflow übertragen',
    hint: 'Workflows reagieren auf Erkennungen: Sie reichern an, isolieren oder melden.',
    command: 'Beispiel-Workflows übertragen',
    show: 'Workflows anzeigen',
  },
};
