import type { Translation } from '../../language/catalogue.ts';
import { counted } from '../../parts/counted.ts';
import type { PROFILE_TEXT } from './text.ts';

export const PROFILE_GERMAN: Translation<typeof PROFILE_TEXT> = {
  title: 'Profil',
  signOut: 'Abmelden',
  saved: 'Profil gespeichert.',
  facts: {
    email: 'E-Mail-Adresse',
    value: (email, verified) => (verified ? email : `${email} (nicht bestätigt)`),
    role: 'Rolle',
    created: 'Konto angelegt',
  },
  form: {
    title: 'Name und Bild',
    username: 'Benutzername',
    usernameHint: '3 bis 32 Buchstaben, Ziffern, - und _',
    picture: 'Bild',
    pictureHint: 'https-Adresse. Nur API-Clients zeigen es an; die Konsole lädt nichts von anderen Hosts.',
    picturePlaceholder: 'https://',
    save: 'Speichern',
  },
  quota: {
    title: 'Nutzung',
    resource: 'Ressource',
    used: 'Genutzt',
    quota: 'Kontingent',
    unlimited: 'unbegrenzt',
    resources: {
      storage_bytes: 'Bytes von Dateien, Definitionen und Testfällen, einschließlich älterer Versionen',
      agents: 'Agenten',
      workflows: 'Workflows',
      versions: 'Versionen von Workflows und Arbeitsbereichen',
      api_keys: 'API-Schlüssel, einschließlich widerrufener',
      executions: 'Nicht beendete Ausführungen',
      execution_bytes: 'Bytes von Eingaben, Ergebnissen, Schritten und Protokollzeilen der Ausführungen',
      events: 'Ereignisse der letzten 24 Stunden',
    },
  },
  email: {
    title: 'E-Mail-Adresse',
    next: 'Neue E-Mail-Adresse',
    password: 'Passwort (zur Bestätigung)',
    action: 'Adresse ändern',
    changed: 'E-Mail-Adresse geändert.',
    sentTitle: 'Prüfen Sie Ihr Postfach',
    sent: (email) =>
      `Wenn kein anderes Konto ${email} verwendet, haben wir einen Link dorthin gesendet (1 Stunde gültig). Die Adresse ändert sich, wenn Sie den Link öffnen und bestätigen.`,
  },
  password: {
    title: 'Passwort',
    current: 'Aktuelles Passwort',
    next: 'Neues Passwort',
    hint: 'Verwenden Sie mindestens 12 Zeichen; gut geeignet ist eine zufällige Wortfolge.',
    action: 'Passwort ändern',
    forgotten: 'Passwort vergessen?',
    changed: (sessionsEnded) =>
      sessionsEnded === 0
        ? 'Passwort geändert.'
        : `Passwort geändert. ${counted(sessionsEnded, 'andere Sitzung', 'andere Sitzungen')} beendet.`,
  },
  sessions: {
    title: 'Sitzungen',
    signedIn: 'Angemeldet',
    client: 'Browser und Adresse',
    from: (client, ip) => `${client} · ${ip}`,
    unknownClient: 'Unbekannter Client',
    current: 'Diese Sitzung',
    end: 'Beenden',
    endOf: (ip) => `Sitzung von ${ip} beenden`,
    endOthers: 'Alle anderen Sitzungen beenden',
    ended: (count) => `${counted(count, 'Sitzung', 'Sitzungen')} beendet.`,
  },
};
