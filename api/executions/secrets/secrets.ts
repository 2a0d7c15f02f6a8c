import type { Audit } from '#api/audit/port.ts';
import type { RequestOrigin } from '#api/http/request-origin.ts';
import type { Database } from '#api/postgres/database.ts';
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

/** Of one owner. */
export const MAX_SECRETS = 500;

export interface SecretChange {
  /** See `secretOwner`. */
  readonly owner: string;
  readonly name: string;
  readonly actor: string;
  readonly origin: RequestOrigin;
}

/** The value of a secret, and where it may be sent; see `maySendTo`. */
export interface SecretValue {
  readonly value: string;
  readonly hosts: readonly string[] | null;
}

/** Secrets that definitions name. They go in, and come out only where a worker makes a request with them. */
export interface Secrets {
  list(owner: string): Promise<NamedSecret[]>;
  /** False: the owner has as many as there may be. */
  put(
    change: SecretChange & {
      readonly value: string;
      /** Undefined: as before; null: any. */
      readonly hosts?: readonly string[] | null | undefined;
    },
  ): Promise<boolean>;
  /** True when it was there. */
  remove(change: SecretChange): Promise<boolean>;
  /** Values of those that are set and can be opened. For workers: nothing of it may reach a log, a result or a trace. */
  read(owner: string, names: readonly string[]): Promise<ReadonlyMap<string, SecretValue>>;
  /** The same for addresses that are known beforehand: of those that may be sent to each address that they are meant for. */
  readFor(
    owner: string,
    uses: readonly { readonly secret: string; readonly to: string }[],
  ): Promise<ReadonlyMap<string, string>>;
}

/** `secrets`: AUTH_SECRET, the newest first. Values that were stored under an older one can still be read. */
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

function targetOf(owner: string, name: string): string {
  return `workflow-secret:${owner}:${name}`;
}
