import type { Audit } from '#api/audit/port.ts';
import type { RequestOrigin } from '#api/http/request-origin.ts';
import type { Database } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import {
  countSecrets,
  deleteSecret,
  listSecretNames,
  lockSecretsOf,
  type NamedSecret,
  putSecret,
  readSealed,
} from '../tables/execution-secrets.ts';
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

/** Secrets that definitions name. They go in, and come out only where a worker makes a request with them. */
export interface Secrets {
  list(owner: string): Promise<NamedSecret[]>;
  /** False: the owner has as many as there may be. */
  put(change: SecretChange & { readonly value: string }): Promise<boolean>;
  /** True when it was there. */
  remove(change: SecretChange): Promise<boolean>;
  /** Values of those that are set and can be opened. For workers: nothing of it may reach a log, a result or a trace. */
  read(owner: string, names: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

/** `secrets`: AUTH_SECRET, the newest first. Values that were stored under an older one can still be read. */
export function createSecrets(
  { database, audit }: { readonly database: Database; readonly audit: Audit },
  config: { readonly secrets: readonly [string, ...string[]] },
): Secrets {
  const { seal, open } = createSeal(config.secrets);

  return {
    list: (owner) => listSecretNames(database, owner),
    put: ({ owner, name, value, actor, origin }) =>
      inTransaction(database, async (transaction) => {
        await lockSecretsOf(transaction, owner);
        if ((await countSecrets(transaction, owner, name)) >= MAX_SECRETS) return false;
        const isNew = await putSecret(transaction, { owner, name, sealed: seal(value, contextOf(owner, name)) });
        const diff = { present: { before: !isNew, after: true } };
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
    async read(owner, names) {
      const found = await readSealed(database, owner, names);
      return new Map(
        found.flatMap(({ name, sealed }) => {
          const value = open(sealed, contextOf(owner, name));
          return value === undefined ? [] : [[name, value] as const];
        }),
      );
    },
  };
}

function contextOf(owner: string, name: string): string {
  return `${owner}/${name}`;
}

function targetOf(owner: string, name: string): string {
  return `workflow-secret:${owner}:${name}`;
}
