import type { Translation } from '../../language/catalogue.ts';
import type { SIGN_IN_TEXT } from './text.ts';

export const SIGN_IN_GERMAN: Translation<typeof SIGN_IN_TEXT> = {
  product: 'Trapline',
  otherPages: 'Weitere Seiten',
  signIn: {
    title: 'Bei Trapline anmelden',
    action: 'Anmelden',
    sessionNeeded:
      'Sie sind nicht angemeldet, oder Ihre Sitzung ist abgelaufen. Nach der Anmeldung kehren Sie zu dieser Seite zurück.',
    email: 'E-Mail-Adresse',
    password: 'Passwort',
    wrong: 'E-Mail-Adresse oder Passwort ist falsch.',
    details: 'Details',
    request: 'Anfrage',
    register: 'Konto anlegen',
    forgot: 'Passwort vergessen?',
    or: 'oder',
    provider: (name) => `Mit ${name} anmelden`,
  },
  noCookie: {
    title: 'Ihr Browser hat das Sitzungs-Cookie nicht gespeichert',
    hint: 'Das Passwort ist richtig. Erlauben Sie Cookies für diese Website, und melden Sie sich erneut an.',
    https: 'Wenn der Server eine https-Adresse hat, verwenden Sie diese.',
  },
  forgot: {
    title: 'Passwort vergessen?',
    back: 'Zurück zur Anmeldung',
    email: 'E-Mail-Adresse Ihres Kontos',
    hint: 'Wir senden Ihnen einen Link, mit dem Sie ein neues Passwort setzen.',
    send: 'Link senden',
    resend: 'Erneut senden',
    sentTitle: 'Prüfen Sie Ihr Postfach',
    sent: (email) => `Wenn es ein Konto für ${email} gibt, haben wir einen Link gesendet (1 Stunde gültig).`,
    noMail: 'Ist kein Mailserver konfiguriert, steht der Link im Terminal des Servers.',
  },
  register: {
    title: 'Konto anlegen',
    signIn: 'Mit vorhandenem Konto anmelden',
    email: 'E-Mail-Adresse',
    emailHint: (restricted) =>
      `Wir senden einen Code an diese Adresse${restricted ? ', wenn sich ihre Domain registrieren darf' : ''}. Ist kein Mailserver konfiguriert, steht der Code im Terminal des Servers.`,
    roleHint:
      'Neue Konten haben die Rolle Benutzer. Der erste Administrator verwendet den Link im Terminal des Servers.',
    sendCode: 'Code senden',
    codeSent: (email) => `Wenn sich ${email} registrieren darf, haben wir einen Code gesendet (5 Minuten gültig).`,
    code: 'Code',
    codeHint: '6 Ziffern',
    username: 'Benutzername',
    usernameHint: '3 bis 32 Buchstaben, Ziffern, - und _',
    password: 'Passwort',
    passwordHint: 'Verwenden Sie mindestens 12 Zeichen; gut geeignet ist eine zufällige Wortfolge.',
    submit: 'Konto anlegen',
    startAgain: 'Adresse ändern oder einen anderen Code anfordern',
    closedTitle: 'Die Registrierung ist geschlossen',
    closed: 'Bitten Sie einen Administrator um ein Konto.',
    doneTitle: 'Konto angelegt',
    signedIn: 'Sie sind angemeldet. Programme authentifizieren sich mit diesem API-Schlüssel:',
    notSignedIn:
      'Melden Sie sich mit E-Mail-Adresse und Passwort an. Programme authentifizieren sich mit diesem API-Schlüssel:',
    continue: 'Schlüssel gespeichert – weiter',
    continueToSignIn: 'Schlüssel gespeichert – anmelden',
  },
};
