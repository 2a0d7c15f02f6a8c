import type { JsonValue } from '#api/executions/json-value.ts';

const SECRET_NAME = /authorization|cookie|credential|passwd|password|secret|token|api[-_]?key/i;

/** Redacts arguments for display: values of secrets, and strings under a name that suggests a secret. */
export function redactArguments(given: JsonValue, redact: (text: string) => string, name = ''): JsonValue {
  if (typeof given === 'string') return SECRET_NAME.test(name) ? '[redacted]' : redact(given);
  if (Array.isArray(given)) return given.map((one: JsonValue) => redactArguments(one, redact, name));
  if (typeof given !== 'object' || given === null) return given;
  return Object.fromEntries(
    Object.entries(given).map(([key, value]) => [redact(key), redactArguments(value, redact, key)]),
  );
}
