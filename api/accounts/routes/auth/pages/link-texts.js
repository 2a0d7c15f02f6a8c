// German for the pages that links lead to, by their English texts. Runs in the browser, at /auth/link-texts.js.
const GERMAN = {
  'Confirm your e-mail address': 'E-Mail-Adresse bestätigen',
  'Confirm your e-mail address – Trapline': 'E-Mail-Adresse bestätigen – Trapline',
  'Confirm that your Trapline account uses this address.':
    'Bestätigen Sie, dass Ihr Trapline-Konto diese Adresse verwendet.',
  'Confirm address': 'Adresse bestätigen',
  'The address of your account is now': 'Die Adresse Ihres Kontos ist jetzt',
  Profile: 'Profil',
  'Set a new password': 'Neues Passwort setzen',
  'Set a new password – Trapline': 'Neues Passwort setzen – Trapline',
  'New password': 'Neues Passwort',
  'Repeat password': 'Passwort wiederholen',
  'Set password': 'Passwort setzen',
  'Request a new link': 'Neuen Link anfordern',
  'Sign in': 'Anmelden',
  'Create the first administrator': 'Ersten Administrator anlegen',
  'Create the first administrator – Trapline': 'Ersten Administrator anlegen – Trapline',
  'This account becomes an administrator and can create users.':
    'Dieses Konto wird Administrator und kann Benutzer erstellen.',
  'E-mail address': 'E-Mail-Adresse',
  'User name': 'Benutzername',
  '3 to 32 letters, digits, - and _': '3 bis 32 Buchstaben, Ziffern, - und _',
  Password: 'Passwort',
  'Use at least 12 characters; a random phrase works well.':
    'Verwenden Sie mindestens 12 Zeichen; eine zufällige Wortfolge eignet sich gut.',
  'Create account': 'Konto anlegen',
  'Please wait…': 'Bitte warten…',
  "Can't reach the server. Retry in a moment.": 'Server nicht erreichbar. Versuchen Sie es gleich erneut.',
  'This link is incomplete. Open it again from the e-mail.':
    'Dieser Link ist unvollständig. Öffnen Sie ihn erneut aus der E-Mail.',
  'This link is incomplete. Copy it again from the output of trapline start.':
    'Dieser Link ist unvollständig. Kopieren Sie ihn erneut aus der Ausgabe von trapline start.',
  'This link was used before or has expired. Request a new one.':
    'Dieser Link wurde schon verwendet oder ist abgelaufen. Fordern Sie einen neuen an.',
  'The passwords do not match.': 'Die Passwörter stimmen nicht überein.',
  // What the server answers.
  'This link is invalid or has expired: request a new one.':
    'Dieser Link ist ungültig oder abgelaufen: Fordern Sie einen neuen an.',
  'This link has expired, or an administrator already exists.':
    'Dieser Link ist abgelaufen, oder es gibt bereits einen Administrator.',
  'This address has an account already.': 'Zu dieser Adresse gibt es schon ein Konto.',
  'Password set. All sessions have ended. API keys still work: sign in, and revoke those you do not recognise.':
    'Passwort gesetzt. Alle Sitzungen sind beendet. API-Schlüssel gelten weiter: Melden Sie sich an, und widerrufen Sie unbekannte Schlüssel.',
  'This name is taken.': 'Dieser Name ist vergeben.',
  "This password can't be used: it is a commonly used password.":
    'Dieses Passwort ist nicht zulässig: Es ist zu verbreitet.',
  "This password can't be used: it repeats itself.": 'Dieses Passwort ist nicht zulässig: Es wiederholt sich.',
  "This password can't be used: it is a sequence.": 'Dieses Passwort ist nicht zulässig: Es ist eine Folge.',
  "This password can't be used: it contains the user name or the e-mail address.":
    'Dieses Passwort ist nicht zulässig: Es enthält den Benutzernamen oder die E-Mail-Adresse.',
};

const isGerman = languageOf() === 'de';
if (isGerman) document.documentElement.lang = 'de';

/** The language that was chosen in the console, or else the first language of the browser that the console has. */
function languageOf() {
  let kept = null;
  try {
    kept = localStorage.getItem('trapline-language');
  } catch {
    // Without storage: the language of the browser.
  }
  const wanted = [kept, ...navigator.languages.map((tag) => tag.toLowerCase().split('-')[0])];
  return wanted.find((tag) => tag === 'en' || tag === 'de') ?? 'en';
}

/** The text in the language of the page; a text without a translation stays in English. */
export function translate(text) {
  const { [text.trim()]: translated = text } = isGerman ? GERMAN : {};
  return translated;
}
