import type { JsonValue } from '../json-value.ts';

export const REDACTED = '[secret]';
/** Minimum length of a redacted secret. Shorter ones would match unrelated text. */
const MIN_SECRET_CHARACTERS = 4;

export interface Redaction {
  json<T extends JsonValue>(value: T): T;
  /** Redacts a body before it is encoded as base64, which would hide the secrets. */
  bytes(body: Buffer): Buffer;
}

/**
 * Removes secrets from responses. A service may repeat them in plain text, in base64 or in an address. Parts of a JSON
 * secret (user and password) are redacted too.
 */
export function createRedaction(secrets: readonly string[]): Redaction {
  const forms = [...new Set(secrets.flatMap(partsOf).flatMap(formsOf))]
    .filter((form) => form.length >= MIN_SECRET_CHARACTERS)
    // Longest first, so a secret that contains another is removed as a whole.
    .sort((a, b) => b.length - a.length);
  const inText = (text: string) => forms.reduce((rest, form) => rest.replaceAll(form, REDACTED), text);
  const redact = (value: JsonValue): JsonValue => {
    if (typeof value === 'string') return inText(value);
    if (value === null || typeof value !== 'object') return value;
    if (Array.isArray(value)) return value.map(redact);
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [inText(key), redact(inner as JsonValue)]));
  };
  const inBytes = forms.map((form) => Buffer.from(form).toString('latin1'));
  return {
    json: (value) => (forms.length === 0 ? value : (redact(value) as typeof value)),
    bytes(body) {
      if (forms.length === 0) return body;
      const text = body.toString('latin1');
      return Buffer.from(
        inBytes.reduce((rest, form) => rest.replaceAll(form, REDACTED), text),
        'latin1',
      );
    },
  };
}

function partsOf(secret: string): string[] {
  const pair = credentialsOf(secret);
  if (pair === undefined) return [secret];
  return [secret, pair.password, `${pair.username}:${pair.password}`];
}

function formsOf(secret: string): string[] {
  const base64 = Buffer.from(secret).toString('base64');
  return [
    secret,
    // Within a longer base64 text, its last characters differ.
    base64.replace(/.?=*$/, ''),
    Buffer.from(secret).toString('base64url'),
    encodeURIComponent(secret),
    new URLSearchParams([['', secret]]).toString().slice(1),
    JSON.stringify(secret).slice(1, -1),
  ];
}

/** Returns user and password from a secret with both as JSON. */
export function credentialsOf(secret: string): { readonly username: string; readonly password: string } | undefined {
  if (!secret.trimStart().startsWith('{')) return undefined;
  try {
    const { username, password } = JSON.parse(secret) as { username?: unknown; password?: unknown };
    return typeof username === 'string' && typeof password === 'string' ? { username, password } : undefined;
  } catch {
    return undefined;
  }
}
