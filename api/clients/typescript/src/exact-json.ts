/** JSON in which a bigint is an integer with all its digits, as 64-bit addresses need. */
export function exactJson(value: unknown): string {
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return `[${value.map((item) => exactJson(item ?? null)).join(',')}]`;
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  return `{${entries.map(([name, item]) => `${JSON.stringify(name)}:${exactJson(item)}`).join(',')}}`;
}
