import { Buffer } from 'node:buffer';
import type { JsonValue } from '#api/executions/json-value.ts';

/** What happened in a run, line by line: `trace.jsonl`. */
export interface Trace {
  /** Values of secrets are replaced wherever they stand; what comes after the trace is full is left out. */
  add(type: string, fields?: Readonly<Record<string, JsonValue | undefined>>): void;
  /** A text without values of secrets. */
  redact(text: string): string;
  bytes(): Buffer;
}

const MAX_BYTES = 4 * 2 ** 20;
/** Of one text within a line. */
const MAX_TEXT = 20_000;
/** A shorter one occurs in texts by chance, and hiding it would reveal where. */
const MIN_SECRET = 4;

/** `secrets`: values that never get into it. */
export function createTrace(secrets: readonly string[], now: () => Date = () => new Date()): Trace {
  // The longest first: of a secret that begins with another one the rest would stay.
  const hidden = secrets
    .filter((secret) => secret.length >= MIN_SECRET)
    .flatMap(spellings)
    .toSorted((a, b) => b.length - a.length);
  const lines: string[] = [];
  let size = 0;
  let full = false;

  function redact(text: string): string {
    return hidden.reduce((shown, secret) => shown.replaceAll(secret, '[redacted]'), text);
  }

  return {
    redact,
    add(type, fields = {}) {
      if (full) return;
      const shown = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, bounded(value, redact)]));
      const line = `${JSON.stringify({ at: now().toISOString(), type, ...shown })}\n`;
      size += Buffer.byteLength(line);
      full = size > MAX_BYTES;
      lines.push(full ? `${JSON.stringify({ at: now().toISOString(), type: 'trace-full' })}\n` : line);
    },
    bytes: () => Buffer.from(lines.join('')),
  };
}

/** A secret as it is, as it stands in JSON and in a URL, and in base64. */
function spellings(secret: string): string[] {
  const inJson = JSON.stringify(secret).slice(1, -1);
  return [...new Set([secret, inJson, encodeURIComponent(secret), Buffer.from(secret).toString('base64')])];
}

function bounded(value: JsonValue | undefined, redact: (text: string) => string): JsonValue | undefined {
  if (typeof value === 'string') {
    const text = redact(value);
    return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}… (${text.length} characters)`;
  }
  if (typeof value !== 'object' || value === null) return value;
  const json = redact(JSON.stringify(value));
  if (json.length > MAX_TEXT) return `${json.slice(0, MAX_TEXT)}… (${json.length} characters)`;
  try {
    return JSON.parse(json) as JsonValue;
  } catch {
    return json;
  }
}
