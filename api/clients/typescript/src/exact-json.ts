/** Serialises a value as JSON. A bigint becomes an integer with all its digits, as 64-bit addresses need. */
export function exactJson(value: unknown): string {
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return `[${value.map((item) => exactJson(item ?? null)).join(',')}]`;
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  return `{${entries.map(([name, item]) => `${JSON.stringify(name)}:${exactJson(item)}`).join(',')}}`;
}

/** Strings and numbers of a JSON text, each as one token. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Parses a JSON text. Integers that exceed the precision of a number become bigints. Throws a SyntaxError for invalid JSON. */
export function parseExactJson(text: string): unknown {
  if (!/\d{16}/.test(text)) return JSON.parse(text);
  // Random, so that no string of the body begins with it.
  const mark = `${crypto.randomUUID()} `;
  const marked = text.replace(TOKENS, (token) =>
    /^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"${mark}${token}"` : token,
  );
  return JSON.parse(marked, (_, value: unknown) =>
    typeof value === 'string' && value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value,
  );
}
