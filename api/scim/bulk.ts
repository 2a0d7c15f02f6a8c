import { percentDecoded } from '#schemas/percent-decoded.ts';
import type { Json } from './patch.ts';
import { errorBody, ScimError } from './scim-error.ts';
import type { ScimBy } from './users.ts';

/** One operation of a bulk request, RFC 7644, section 3.7. */
export interface BulkOperation {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** `/Users` or `/Groups`, with an id except for creations. */
  readonly path: string;
  /** Identifies the created resource for other operations of the request. */
  readonly bulkId?: string | undefined;
  readonly version?: string | undefined;
  readonly data?: unknown;
}

/**
 * Executes operations on one kind of resource. The bodies are not validated yet. Methods reject with `ScimError` for
 * refusals.
 */
export interface BulkTarget {
  create(body: unknown, by: ScimBy): Promise<Json>;
  replace(id: string, body: unknown, by: ScimBy): Promise<Json>;
  patch(id: string, body: unknown, by: ScimBy): Promise<Json>;
  remove(id: string, by: ScimBy): Promise<void>;
}

export interface BulkDeps {
  readonly targets: Readonly<Record<'Users' | 'Groups', BulkTarget>>;
  /** Returns the URL of a kind of resources, without a trailing slash. */
  readonly locationOf: (kind: 'Users' | 'Groups') => string;
  readonly versionOf: (resource: Json) => string;
  /** Receives errors that are not refusals. */
  readonly onFailure: (error: unknown) => void;
}

export const MAX_OPERATIONS = 200;
const PATH = /^\/(Users|Groups)(?:\/([^/?#]+))?$/;
const REFERENCE = /^bulkId:(.+)$/;

/**
 * Executes the operations sequentially, each like a single request, and stops after `failOnErrors` failures. An
 * operation that refers to the result of a later one is executed after it. Resolves to the outcomes of the executed
 * operations, in the order of the request.
 */
export async function runBulk(
  { operations, failOnErrors = operations.length }: BulkRequest,
  by: ScimBy,
  deps: BulkDeps,
): Promise<Json[]> {
  const outcomes = new Map<BulkOperation, Json>();
  /** Ids of created resources by bulkId; undefined for failed creations. */
  const created = new Map<string, string | undefined>();
  const repeated = repeatedIds(operations);
  let failures = 0;
  for (let waiting = operations; waiting.length > 0; ) {
    const creates = new Set(waiting.flatMap(({ method, bulkId }) => (method === 'POST' ? (bulkId ?? []) : [])));
    const later = waiting.filter((operation) =>
      referencesOf(operation).some((id) => creates.has(id) && id !== operation.bulkId),
    );
    const blocked = later.length === waiting.length;
    for (const operation of waiting) {
      if (!blocked && later.includes(operation) && referencesOf(operation).some((id) => !created.has(id))) continue;
      const outcome = await attempt(operation, blocked);
      outcomes.set(operation, outcome);
      if (Number(outcome.status) < 400) continue;
      failures += 1;
      if (failures >= failOnErrors || outcome.status === '500') return inOrder();
    }
    waiting = waiting.filter((operation) => !outcomes.has(operation));
  }
  return inOrder();

  function inOrder(): Json[] {
    return operations.flatMap((operation) => {
      const outcome = outcomes.get(operation);
      return outcome === undefined ? [] : [outcome];
    });
  }

  async function attempt(operation: BulkOperation, circular: boolean): Promise<Json> {
    const { method, bulkId } = operation;
    const named = { method, ...(bulkId === undefined ? {} : { bulkId }) };
    try {
      if (circular) throw new ScimError(409, 'the operations name each other in a circle');
      if (method === 'POST' && (bulkId === undefined || repeated.has(bulkId)))
        throw new ScimError(400, 'POST needs a bulkId of its own', 'invalidValue');
      const { location, resource, status } = await perform(operation);
      if (method === 'POST' && bulkId !== undefined) created.set(bulkId, String(resource?.id));
      return { location, ...named, ...(resource && { version: deps.versionOf(resource) }), status: String(status) };
    } catch (error) {
      if (bulkId !== undefined) created.set(bulkId, undefined);
      if (!(error instanceof ScimError)) deps.onFailure(error);
      const { status, message, scimType } =
        error instanceof ScimError
          ? error
          : new ScimError(500, 'the operation failed: send it and the following ones again');
      return { ...named, status: String(status), response: errorBody(status, message, scimType) };
    }
  }

  async function perform({ method, path, version, data }: BulkOperation) {
    const [, kind, given] = PATH.exec(path) ?? [];
    if (kind === undefined)
      throw new ScimError(400, 'a path is /Users or /Groups, with an id unless the method is POST', 'invalidPath');
    const target = deps.targets[kind as 'Users'];
    const at = deps.locationOf(kind as 'Users');
    const body = resolved(data);
    const own = { ...by, ifMatch: version };
    if (method === 'POST') {
      if (given !== undefined) throw new ScimError(400, 'POST takes no id', 'invalidPath');
      const resource = await target.create(body, own);
      return { location: `${at}/${String(resource.id)}`, resource, status: 201 };
    }
    if (given === undefined) throw new ScimError(400, `${method} needs an id`, 'invalidPath');
    const id = resolved(percentDecoded(given)) as string;
    const location = `${at}/${id}`;
    if (method === 'DELETE') {
      await target.remove(id, own);
      return { location, resource: undefined, status: 204 };
    }
    const resource = method === 'PUT' ? await target.replace(id, body, own) : await target.patch(id, body, own);
    return { location, resource, status: 200 };
  }

  /** Replaces references by the ids that other operations created. */
  function resolved(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(resolved);
    if (value !== null && typeof value === 'object')
      return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, resolved(inner)]));
    const [, bulkId] = typeof value === 'string' ? (REFERENCE.exec(value) ?? []) : [];
    if (bulkId === undefined) return value;
    const id = created.get(bulkId);
    if (id === undefined) throw new ScimError(409, `no operation of the request created bulkId:${bulkId}`);
    return id;
  }
}

export interface BulkRequest {
  readonly operations: readonly BulkOperation[];
  readonly failOnErrors?: number | undefined;
}

function repeatedIds(operations: readonly BulkOperation[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const { bulkId } of operations) {
    if (bulkId === undefined) continue;
    if (seen.has(bulkId)) repeated.add(bulkId);
    seen.add(bulkId);
  }
  return repeated;
}

/** Returns the bulkIds in the path and the data of an operation. */
function referencesOf({ path, data }: BulkOperation): string[] {
  const found: string[] = [];
  const collect = (value: unknown): void => {
    if (value !== null && typeof value === 'object') for (const inner of Object.values(value)) collect(inner);
    else if (typeof value === 'string') found.push(...(REFERENCE.exec(value)?.slice(1) ?? []));
  };
  collect(data);
  collect(percentDecoded(PATH.exec(path)?.[2] ?? ''));
  return found;
}
