import type { Translation } from '../../language/catalogue.ts';
import { counted } from '../../parts/counted.ts';
import type { SECOND_FACTOR_TEXT } from './text.ts';

export const SECOND_FACTOR_GERMAN: Translation<typeof SECOND_FACTOR_TEXT> = {
  title: 'Zweiter Faktor',
  hint: 'Mit einem zweiten Faktor genügt das Passwort allein nicht zur Anmeldung. API-Schlüssel funktionieren ohne ihn.',
  required: 'Für Ihre Rolle ist ein zweiter Faktor vorgeschrieben.',
  factors: 'Zweite Faktoren',
  columns: { factor: 'Faktor', added: 'Hinzugefügt', used: 'Zuletzt verwendet' },
  never: 'nie',
  none: 'Es ist kein zweiter Faktor eingerichtet.',
  app: 'Authenticator-App',
  passkey: (name) => `Passkey „${name}“`,
  addApp: 'Authenticator-App einrichten',
  addPasskey: 'Passkey hinzufügen',
  remove: 'Entfernen',
  removeOf: (factor) => `${factor} entfernen`,
  removeTitle: (factor) => `${factor} entfernen?`,
  removeConsequence:
    'Sie können sich damit nicht mehr anmelden. Mit dem letzten zweiten Faktor werden auch die Wiederherstellungscodes gelöscht.',
  removed: 'Zweiter Faktor entfernt.',
  noPasskeys: 'Passkeys benötigen eine https-Adresse mit Hostnamen oder localhost.',
  confirm: {
    title: 'Bestätigen Sie Ihre Identität',
    hint: 'Geben Sie Ihr Passwort ein, um zweite Faktoren zu ändern. Die Bestätigung gilt 10 Minuten.',
    password: 'Passwort',
    codeHint:
      'Ihr Konto hat kein Passwort: Geben Sie einen Code der Authenticator-App oder einen Wiederherstellungscode ein, oder melden Sie sich neu an.',
    code: 'Code',
    action: 'Bestätigen',
  },
  totp: {
    title: 'Authenticator-App einrichten',
    scan: 'Scannen Sie diesen Code mit einer Authenticator-App, etwa Aegis, Google Authenticator oder 1Password.',
    qr: 'QR-Code für die Authenticator-App',
    manual: 'Oder geben Sie das Geheimnis in der App ein',
    secret: 'Geheimnis der Authenticator-App',
    code: 'Code aus der App',
    codeHint: '6 Ziffern',
    action: 'Aktivieren',
    done: 'Authenticator-App eingerichtet.',
  },
  passkeys: {
    title: 'Passkey hinzufügen',
    name: 'Name',
    nameHint: 'Zum Beispiel das Gerät: Laptop, Sicherheitsschlüssel',
    action: 'Passkey hinzufügen',
    done: 'Passkey hinzugefügt.',
    cancelled:
      'Es wurde kein Passkey verwendet: Der Dialog wurde geschlossen oder ist abgelaufen. Versuchen Sie es erneut.',
  },
  recovery: {
    title: 'Wiederherstellungscodes',
    left: (left) => `${counted(left, 'Wiederherstellungscode', 'Wiederherstellungscodes')} übrig`,
    create: 'Neue Wiederherstellungscodes erstellen',
    question: 'Neue Wiederherstellungscodes erstellen?',
    consequence: 'Ihre bisherigen Codes werden ungültig.',
    createAction: 'Codes erstellen',
    shown: 'Ihre Wiederherstellungscodes',
    hint: 'Jeder Code ersetzt den zweiten Faktor einmal. Sie werden nur einmal angezeigt: Speichern Sie sie in einem Passwortmanager, oder drucken Sie sie aus.',
    label: 'Wiederherstellungscodes',
    saved: 'Ich habe die Codes gespeichert',
  },
  signIn: {
    title: 'Zweiter Faktor',
    account: (email) => `Anmeldung als ${email}`,
    code: 'Code',
    codeHint: '6 Ziffern aus Ihrer Authenticator-App oder ein Wiederherstellungscode',
    recoveryHint: 'Einer Ihrer Wiederherstellungscodes',
    action: 'Anmelden',
    usePasskey: 'Passkey verwenden',
    or: 'oder',
    lost: 'Zweiter Faktor verloren? Verwenden Sie einen Wiederherstellungscode, oder bitten Sie einen Administrator, ihn zu entfernen.',
    cancel: 'Als anderer Benutzer anmelden',
    enrolTitle: 'Zweiten Faktor einrichten',
    enrolHint: 'Für Ihre Rolle ist ein zweiter Faktor vorgeschrieben. Richten Sie einen ein, um sich anzumelden.',
    chooseApp: 'Authenticator-App',
    choosePasskey: 'Passkey',
    withPasskey: 'Mit Passkey anmelden',
  },
  admin: {
    title: 'Zweiter Faktor',
    state: (totp, passkeys, codes) =>
      [
        ...(totp ? ['Authenticator-App'] : []),
        ...(passkeys > 0 ? [counted(passkeys, 'Passkey', 'Passkeys')] : []),
        ...(totp || passkeys > 0
          ? [`${counted(codes, 'Wiederherstellungscode', 'Wiederherstellungscodes')} übrig`]
          : ['Keiner']),
      ].join(' · '),
    reset: 'Zweite Faktoren entfernen',
    question: (username) => `Zweite Faktoren von ${username} entfernen?`,
    consequence:
      'Authenticator-App, Passkeys und Wiederherstellungscodes werden gelöscht, und alle Sitzungen des Benutzers enden. Prüfen Sie zuvor, ob die Anfrage von diesem Benutzer kommt.',
    done: (username) => `Zweite Faktoren von ${username} entfernt.`,
  },
};
