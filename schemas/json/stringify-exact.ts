/**
 * As JSON.stringify, but writes a bigint as its digits. All JSON output uses this function. Values without a bigint use
 * the fast path of JSON.stringify. Searching for a bigint costs a fifth of that. Catching the TypeError instead would
 * make events with a bigint ten times as expensive, which an attacker could exploit.
 */
export function stringifyExact(value: unknown): string {
  return holdsBigint(value) ? JSON.stringify(value, bigintAsDigits) : JSON.stringify(value);
}

function holdsBigint(value: unknown): boolean {
  if (typeof value === 'bigint') return true;
  if (typeof value !== 'object' || value === null) return false;
  for (const name in value) if (holdsBigint((value as Record<string, unknown>)[name])) return true;
  return false;
}

/** V8 has `rawJSON` (ECMAScript proposal JSON.parse source text access, stage 4); the types of TypeScript do not. */
const engine = JSON as JSON & { rawJSON(text: string): unknown };

function bigintAsDigits(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? engine.rawJSON(String(value)) : value;
}
