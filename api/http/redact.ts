/** Replaces a secret. */
export const REDACTED = '[redacted]';

const MAX_DEPTH = 6;
const MAX_ITEMS = 100;
const MAX_CHARACTERS = 2_000;
const MAX_NAME = 512;
/** Only the beginning of a text is kept and searched, because external texts can be long. */
const MAX_SEARCHED = 16_384;

/** A field whose name contains one of these words holds a secret, whatever its value looks like. */
const SECRET_WORDS = new Set(
  (
    'password passwords passphrase passwd pass pwd secret secrets token tokens credential credentials cookie cookies ' +
    'authorization otp totp pin salt signature jwt bearer nonce csrf'
  ).split(' '),
);
/** These words mark a secret only at the end of a name: `secretHash` and `apiKey`, but not `keyId` or `codeHost`. */
const SECRET_LAST_WORDS = new Set('hash hashes digest code codes key keys'.split(' '));

/** Secrets by their format, anywhere in a text. */
const SECRET_SHAPES: readonly RegExp[] = [
  /-----BEGIN [^-]+-----[\s\S]*?(?:-----END [^-]+-----|$)/g,
  // JSON web tokens, signed or not.
  /(?<![\w-])eyJ[\w-]+\.[\w-]+(?:\.[\w-]*)*/g,
  // Hashes of bcrypt, argon2, scrypt and others in the modular format.
  /\$(?:2[abxy]?|5|6|y|argon2\w*|scrypt|pbkdf2[\w-]*)\$[\w./+=$,-]+/g,
  // Trapline keys, complete or truncated within the secret.
  /\btl_(?:operator|[0-9A-Za-z]{12})\.[0-9A-Za-z]+/g,
  // Keys of well-known providers.
  /\b(?:gh[opsur]_|github_pat_|xox[abeoprs]-|sk-|AKIA|ASIA|AIza)[\w-]{10,}/g,
  /\b(?:bearer|basic)\s+[\w.~+/=-]{8,}/gi,
];
const USERINFO = /((?<![a-z\d+.-])[a-z\d+.-]+:\/\/)[^\s/?#@]+@/gi;
const PARAMETER =
  /(?<![\w-])((?:[\w-]*(?:token|secret|password|passwd|pwd|otp|key|code|signature|credential|auth))\s*[=:]\s*)("[^"]*"|[^\s&;,"]+)/gi;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Long runs of the alphabets of keys, tokens and hashes. */
const LONG_RUN = /[\w+/=-]{24,}/g;
/** A part of a run that a person may have written: letters in one case, optionally capitalised, or digits. */
const WORD = /^(?:[A-Z]?[a-z]*|[A-Z]+|\d+)$/;
const MIXED_CHARACTERS = 16;
const MAX_WORDS = 64;
/** Six separate digits. Digits inside an identifier do not match. */
const ONE_TIME_CODE = /(?<![\w-])\d{6}(?![\w-])/g;

/**
 * Returns the part of a diff that may be stored: small JSON without secrets, even if the caller included them. Fields
 * are redacted by name, texts by format. `null`, `true` and `false` are kept: they show only that a value exists.
 */
export function redactDiff(diff: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return cleanObject(diff, 'plain', 0);
}

/** Redacts a name, at most 512 characters. Identifiers look random, so only known formats of secrets are removed. */
export function redactName(text: string): string {
  return withoutKnownSecrets(storable(text)).slice(0, MAX_NAME);
}

/** Redacts external text, such as a user agent, at most 512 characters. */
export function redactText(text: string): string {
  return withoutLikelySecrets(withoutKnownSecrets(storable(text))).slice(0, MAX_NAME);
}

/** How the values of a field are redacted, according to its name. */
type Kind = 'secret' | 'id' | 'plain';

function clean(value: unknown, kind: Kind, depth: number): unknown {
  if (value === null || typeof value === 'boolean') return value;
  if (value === undefined || typeof value === 'function' || typeof value === 'symbol') return undefined;
  if (typeof value === 'object' && !(value instanceof Date)) {
    if (depth >= MAX_DEPTH || ArrayBuffer.isView(value)) return REDACTED;
    if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item) => clean(item, kind, depth + 1) ?? null);
    return cleanObject(value as Record<string, unknown>, kind, depth + 1);
  }
  if (kind === 'secret') return REDACTED;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  const text = withoutKnownSecrets(storable(String(value)));
  return (kind === 'id' ? text : withoutLikelySecrets(text).replace(ONE_TIME_CODE, REDACTED)).slice(0, MAX_CHARACTERS);
}

function cleanObject(object: Readonly<Record<string, unknown>>, outer: Kind, depth: number): Record<string, unknown> {
  const entries = Object.entries(object)
    .slice(0, MAX_ITEMS)
    .flatMap(([name, value]) => {
      const kind = kindOf(name);
      const cleaned = clean(value, outer === 'secret' || kind === 'plain' ? outer : kind, depth);
      return cleaned === undefined ? [] : [[redactText(name), cleaned] as const];
    });
  return Object.fromEntries(entries);
}

/** Splits a name into words: `newPasswordHash`, `NEW_PASSWORD_HASH` and `new-password-hash` have the same words. */
function kindOf(name: string): Kind {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '');
  const last = words.at(-1) ?? '';
  if (words.some((word) => SECRET_WORDS.has(word)) || SECRET_LAST_WORDS.has(last)) return 'secret';
  return last === 'id' || last === 'ids' ? 'id' : 'plain';
}

function withoutKnownSecrets(text: string): string {
  let safe = text;
  for (const shape of SECRET_SHAPES) safe = safe.replace(shape, REDACTED);
  return safe.replace(USERINFO, `$1${REDACTED}@`);
}

/**
 * Removes values of parameters with secret names, and texts that look random. Words joined by dashes or slashes are
 * long too, but few of their parts mix digits, capitals and small letters.
 */
function withoutLikelySecrets(text: string): string {
  return text.replace(PARAMETER, `$1${REDACTED}`).replace(LONG_RUN, (run) => {
    if (UUID.test(run)) return run;
    const mixed = run.split(/[-_/+=]+/).filter((part) => !WORD.test(part));
    const characters = mixed.reduce((sum, part) => sum + part.length, 0);
    return characters >= MIXED_CHARACTERS || run.length >= MAX_WORDS ? REDACTED : run;
  });
}

/** Returns the beginning of a text without characters that PostgreSQL cannot store: NUL and unpaired surrogates. */
function storable(text: string): string {
  return text.slice(0, MAX_SEARCHED).replaceAll('\0', '').toWellFormed();
}
