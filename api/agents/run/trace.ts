import { Buffer } from 'node:buffer';
import type { JsonValue } from '#api/executions/json-value.ts';

/** Log of a run, one event per line: `trace.jsonl`. */
export interface Trace {
  /** Appends an event. Redacts values of secrets. Drops the event if the trace has reached its maximum size. */
  add(type: string, fields?: Readonly<Record<string, JsonValue | undefined>>): void;
  /** Removes the values of secrets from a text. */
  redact(text: string): string;
  bytes(): Buffer;
}

const MAX_BYTES = 4 * 2 ** 20;
/** Maximum length of one string within a line. */
const MAX_TEXT = 20_000;
/** Shorter secrets are not redacted: they occur in text by chance, and redaction would reveal where. */
const MIN_SECRET = 4;

/** Creates a trace. `secrets`: values to redact. */
export function createTrace(secrets: readonly string[], now: () => Date = () => new Date()): Trace {
  // Longest first: if one secret is a prefix of another, the rest of the longer one would remain.
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

/** Returns the forms of a secret to redact: plain, in JSON, in a URL, and in base64. */
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
