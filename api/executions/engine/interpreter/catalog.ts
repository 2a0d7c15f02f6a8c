import type { ExternalTask } from '../contract/external-task.ts';
import { authenticationOf } from './authentication.ts';
import { fault } from './faults.ts';
import type { Step } from './frames.ts';
import { endpointOf } from './http-task.ts';
import { get } from './json.ts';

/** A function of a catalog, called as `name:version@catalog`. */
export interface CatalogFunction {
  readonly name: string;
  readonly version: string;
  readonly catalog: string;
}

const NAMED = /^(?<name>[A-Za-z0-9][\w.-]*):(?<version>[\w][\w.+-]*)@(?<catalog>[\w.-]+)$/;

/** A function called by the address of its file. */
export interface FunctionAddress {
  readonly address: string;
}

const ADDRESS = /^https?:\/\/[^\s{}]+$/i;

/**
 * Parses the source of a function that must be fetched: a catalog or a file address. Returns undefined for any other
 * name.
 */
export function fetchedFunctionOf(called: string): CatalogFunction | FunctionAddress | undefined {
  if (ADDRESS.test(called)) return { address: called };
  return NAMED.exec(called)?.groups as CatalogFunction | undefined;
}

/**
 * Returns the task that fetches the function. Catalogs must have the directory layout of the official catalog of the
 * language.
 */
export async function catalogTask(step: Step, from: CatalogFunction | FunctionAddress): Promise<ExternalTask> {
  if ('address' in from) return { kind: 'catalog', document: { endpoint: rawAddress(from.address) } };
  const { name, version, catalog } = from;
  const given = get(get(get(get(step.run.definition, 'use'), 'catalogs'), catalog), 'endpoint');
  if (given === undefined) throw fault('configuration', `there is no catalog "${catalog}"`, step.path);
  const authentication = await authenticationOf(step, get(given, 'authentication'));
  const root = rawAddress((await endpointOf(step, given)).replace(/\/+$/, ''));
  const document = { endpoint: `${root}/functions/${name}/${version}/function.yaml` };
  return { kind: 'catalog', document: authentication === undefined ? document : { ...document, authentication } };
}

/** Maps the address of a GitHub or GitLab repository page to its raw files. Returns other addresses unchanged. */
export function rawAddress(root: string): string {
  const github = /^https:\/\/github\.com\/([^/]+\/[^/]+?)(?:\.git)?(?:\/(?:tree|blob)\/([^/]+)(\/.*)?)?$/.exec(root);
  if (github !== null)
    return `https://raw.githubusercontent.com/${github[1]}/refs/heads/${github[2] ?? 'main'}${github[3] ?? ''}`;
  const gitlab = /^https:\/\/gitlab\.com\/(.+?)(?:\/-\/(?:tree|blob)\/([^/]+)(\/.*)?)?$/.exec(root);
  if (gitlab !== null) return `https://gitlab.com/${gitlab[1]}/-/raw/${gitlab[2] ?? 'main'}${gitlab[3] ?? ''}`;
  return root;
}
