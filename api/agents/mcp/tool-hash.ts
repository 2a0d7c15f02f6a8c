import { createHash } from 'node:crypto';
import type { JsonValue } from '#api/executions/json-value.ts';

/** What a person consents to. */
export interface DescribedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonValue;
}

/**
 * SHA-256 of all that decides what a tool is for an agent: where it is, its name, what the model reads about it, and its arguments. The order of keys does
 * not matter.
 */
export function toolHash(url: string, { name, description, inputSchema }: DescribedTool): string {
  return createHash('sha256')
    .update(canonical([url, name, description, inputSchema]))
    .digest('hex');
}

function canonical(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map((one: JsonValue) => canonical(one)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, one]) => `${JSON.stringify(key)}:${canonical(one)}`).join(',')}}`;
}
