import type { Audit } from '#api/audit/port.ts';
import type { RequestOrigin } from '#api/http/request-origin.ts';
import type { Database } from '#api/postgres/database.ts';
import type { SealedColumn } from '#api/postgres/sealed-column.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import {
  countSecrets,
  deleteSecret,
  findSecretHosts,
  listSecretNames,
  lockSecretsOf,
  type NamedSecret,
  putSecret,
  readSealed,
} from '../tables/execution-secrets.ts';
import { maySendToAddress } from './host-binding.ts';
import { createSeal } from './seal.ts';

/** Maximum number of secrets per owner. */
export const MAX_SECRETS = 500;

export interface SecretChange {
  /** See `secretOwner`. */
  readonly owner: string;
  readonly name: string;
  readonly actor: string;
  readonly origin: RequestOrigin;
}

/** The value of a secret, and the hosts it may be sent to; see `maySendTo`. */
export interface SecretValue {
  readonly value: string;
  readonly hosts: readonly string[] | null;
}

/** Secrets that definitions name. Values are write-only; only workers read them, to make a request. */
export interface Secrets {
  list(owner: string): Promise<NamedSecret[]>;
  /** Stores a secret. Returns false if the owner has reached the maximum number. */
  put(
    change: SecretChange & {
      readonly value: string;
      /** If undefined, unchanged. Null allows any host. */
      readonly hosts?: readonly string[] | null | undefined;
    },
  ): Promise<boolean>;
  /** Deletes a secret. Returns true if it existed. */
  remove(change: SecretChange): Promise<boolean>;
  /**
   * Returns the values of secrets that exist and can be decrypted. For workers only: values must not reach a log, a
   * result or a trace.
   */
  read(owner: string, names: readonly string[]): Promise<ReadonlyMap<string, SecretValue>>;
  /** Like `read`, for known addresses: returns only secrets that may be sent to all of their addresses. */
  readFor(
    owner: string,
    uses: readonly { readonly secret: string; readonly to: string }[],
  ): Promise<ReadonlyMap<string, string>>;
}

/**
 * Creates the store of secrets. `secrets`: values of AUTH_SECRET, newest first. Values stored under older ones remain
 * readable.
 */
export function createSecrets(
  { database, audit }: { readonly database: Database; readonly audit: Audit },
  config: { readonly secrets: readonly [string, ...string[]] },
): Secrets {
  const { seal, open } = createSeal(config.secrets);

  return {
    list: (owner) => listSecretNames(database, owner),
    put: ({ owner, name, value, hosts, actor, origin }) =>
      inTransaction(database, async (transaction) => {
        await lockSecretsOf(transaction, owner);
        if ((await countSecrets(transaction, owner, name)) >= MAX_SECRETS) return false;
        const before = await findSecretHosts(transaction, owner, name);
        await putSecret(transaction, { owner, name, sealed: seal(value, contextOf(owner, name)), hosts });
        const bound = hosts === undefined ? {} : { hosts: { before: before?.hosts ?? null, after: hosts } };
        const diff = { present: { before: before !== undefined, after: true }, ...bound };
        await audit.record(transaction, { actor, target: targetOf(owner, name), action: 'secret.put', diff, origin });
        return true;
      }),
    remove: ({ owner, name, actor, origin }) =>
      inTransaction(database, async (transaction) => {
        if (!(await deleteSecret(transaction, owner, name))) return false;
        const diff = { present: { before: true, after: false } };
        await audit.record(transaction, {
          actor,
          target: targetOf(owner, name),
          action: 'secret.delete',
          diff,
          origin,
        });
        return true;
      }),
    read,
    async readFor(owner, uses) {
      const values = await read(owner, [...new Set(uses.map(({ secret }) => secret))]);
      const permitted = [...values].filter(([name, { hosts }]) =>
        uses.every(({ secret, to }) => secret !== name || maySendToAddress(hosts, to)),
      );
      return new Map(permitted.map(([name, { value }]) => [name, value]));
    },
  };

  async function read(owner: string, names: readonly string[]): Promise<ReadonlyMap<string, SecretValue>> {
    const found = await readSealed(database, owner, names);
    return new Map(
      found.flatMap(({ name, sealed, hosts }) => {
        const value = open(sealed, contextOf(owner, name));
        return value === undefined ? [] : [[name, { value, hosts }] as const];
      }),
    );
  }
}

function contextOf(owner: string, name: string): string {
  return `${owner}/${name}`;
}

export const SEALED_SECRETS: SealedColumn = {
  values: 'secrets of workflows and agents',
  table: 'execution_secrets',
  column: 'sealed',
  key: ['owner', 'name'],
  contextOf: ([owner = '', name = '']) => contextOf(owner, name),
};

function targetOf(owner: string, name: string): string {
  return `workflow-secret:${owner}:${name}`;
}
