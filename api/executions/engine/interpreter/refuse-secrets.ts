import type { JsonValue } from '../../json-value.ts';
import { fault } from './faults.ts';
import { get } from './json.ts';

/**
 * Throws if a value contains a reference to a secret. Scripts, workflows and workers could leak the secret into results
 * and traces.
 */
export function refuseSecrets(value: JsonValue, path: string): void {
  if (typeof value !== 'object' || value === null) return;
  if (get(value, '$secret') !== undefined)
    throw fault(
      'authorization',
      'secrets can only be used in HTTP calls, not in scripts, workflows and worker tasks',
      path,
    );
  for (const inner of Object.values(value) as JsonValue[]) refuseSecrets(inner, path);
}
