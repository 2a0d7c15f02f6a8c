import type { JsonValue } from '../../json-value.ts';
import type { ResourceReference } from '../contract/call-task.ts';
import { authenticationOf } from './authentication.ts';
import { fault } from './faults.ts';
import type { Step } from './frames.ts';
import { endpointOf } from './http-task.ts';
import { get } from './json.ts';

/** Evaluates an external resource of the language: its address and its authentication. */
export async function resourceOf(step: Step, resource: JsonValue | undefined): Promise<ResourceReference> {
  const given = get(resource, 'endpoint');
  if (given === undefined) throw fault('configuration', 'the resource needs an `endpoint`', step.path);
  const authentication = await authenticationOf(step, get(given, 'authentication'));
  const endpoint = await endpointOf(step, given);
  return authentication === undefined ? { endpoint } : { endpoint, authentication };
}

type Path = readonly (string | number)[];

/** Checks the address and the authentication policy of an external resource. */
export function checkResource(
  resource: JsonValue | undefined,
  path: Path,
  checker: { endpoint(endpoint: JsonValue | undefined, path: Path): void },
): void {
  checker.endpoint(get(resource, 'endpoint'), [...path, 'endpoint']);
}
