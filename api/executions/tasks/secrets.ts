import type { Database } from '#api/postgres/database.ts';
import type { SecretReference } from '../engine/contract/http-authentication.ts';
import type { JsonValue } from '../json-value.ts';
import { destinationOf, maySendTo, type SecretDestination } from '../secrets/host-binding.ts';
import { secretOwner } from '../secrets/secret-owner.ts';
import type { Secrets, SecretValue } from '../secrets/secrets.ts';
import { taskFailure } from './failures.ts';
import type { TaskContext } from './port.ts';

/** Returns the values of the secrets that a workflow names. Omits secrets that are not set. */
export type ResolveSecrets = (
  workflowId: string,
  names: readonly string[],
) => Promise<ReadonlyMap<string, SecretValue>>;

/** Resolves secrets of the workflow's owner, even if another user started the execution. */
export function createResolveSecrets({
  database,
  secrets,
}: {
  readonly database: Database;
  readonly secrets: Pick<Secrets, 'read'>;
}): ResolveSecrets {
  return async (workflowId, names) => {
    const workflow = await database
      .selectFrom('workflows')
      .select('ownerId')
      .where('id', '=', workflowId)
      .executeTakeFirst();
    return workflow === undefined ? new Map() : secrets.read(secretOwner(workflow.ownerId), names);
  };
}

/** The secrets of one task, read when the task runs and dropped with it. */
export interface TaskSecrets {
  /** Returns a string, or the value of a reference. */
  text(value: string | SecretReference): string;
  named(name: string): string;
  /** Returns JSON with all references resolved. */
  fill(value: JsonValue): JsonValue;
  /** Returns all values that were resolved. */
  used(): readonly string[];
  /** Throws a `TaskFailure` if one of them may not be sent to the host. Call it before each connection of the task. */
  requireHost(destination: SecretDestination): void;
  /** Like `requireHost`, for an HTTP or HTTPS address. */
  requireAddress(address: string): void;
  /** Throws a `TaskFailure` if one of them is bound to hosts. `what` names the receiver, which has no host. */
  requireUnbound(what: string): void;
}

/**
 * Reads the secrets that a task names. Rejects with a `TaskFailure` for a secret that the definition does not declare
 * or the owner does not have.
 */
export async function secretsOf(
  values: readonly unknown[],
  context: TaskContext,
  resolve: ResolveSecrets,
): Promise<TaskSecrets> {
  const names = new Set<string>();
  for (const value of values) collect(value, names);
  for (const name of names)
    if (!context.secretNames.includes(name))
      throw taskFailure('authorization', context.step, `the secret ${name} is not declared under use.secrets`);
  const known: ReadonlyMap<string, SecretValue> =
    names.size === 0 ? new Map() : await resolve(context.workflowId, [...names]);
  for (const name of names)
    if (!known.has(name)) throw taskFailure('authorization', context.step, `the secret ${name} is not set`);

  const named = (name: string) => known.get(name)?.value ?? '';
  const fill = (value: JsonValue): JsonValue => {
    if (value === null || typeof value !== 'object') return value;
    if (isReference(value)) return named(value.$secret);
    if (Array.isArray(value)) return value.map(fill);
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fill(inner as JsonValue)]));
  };
  return {
    named,
    text: (value) => (typeof value === 'string' ? value : named(value.$secret)),
    fill,
    used: () => [...known.values()].map(({ value }) => value),
    requireHost,
    requireAddress(address) {
      const destination = destinationOf(address);
      if (destination === undefined) requireUnbound('an invalid address');
      else requireHost(destination);
    },
    requireUnbound,
  };

  function requireHost(destination: SecretDestination): void {
    for (const [name, { hosts }] of known) {
      if (maySendTo(hosts, destination)) continue;
      if (maySendTo(hosts, { ...destination, secure: true }))
        throw refused(`${name} may not be sent to ${destination.host} without TLS: its owner chose no http:// host`);
      throw refused(`${name} may not be sent to ${destination.host}: its owner chose other hosts`);
    }
  }

  function requireUnbound(what: string): void {
    for (const [name, { hosts }] of known)
      if (hosts !== null) throw refused(`${name} may not be sent to ${what}: its owner chose other hosts`);
  }

  function refused(detail: string): Error {
    return taskFailure('authorization', context.step, `the secret ${detail}`);
  }
}

function collect(value: unknown, names: Set<string>): void {
  if (value === null || typeof value !== 'object') return;
  if (isReference(value)) names.add(value.$secret);
  else for (const inner of Object.values(value)) collect(inner, names);
}

function isReference(value: object): value is SecretReference {
  return '$secret' in value && typeof value.$secret === 'string' && Object.keys(value).length === 1;
}
