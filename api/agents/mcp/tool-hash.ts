import { createHash } from 'node:crypto';
import type { JsonValue } from '#api/executions/json-value.ts';

/** The parts of a tool that a consent covers. */
export interface DescribedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonValue;
}

/**
 * Returns the SHA-256 over everything that defines a tool for an agent: its server address, its name, its description
 * for the model, and its arguments. Independent of the order of keys.
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
