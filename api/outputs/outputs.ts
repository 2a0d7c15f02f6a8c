import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Audit, AuditEntry } from '#api/audit/port.ts';
import type { RequestOrigin } from '#api/http/request-origin.ts';
import type { Database } from '#api/postgres/database.ts';
import { violatedUnique } from '#api/postgres/failure.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import { type NewOutput, OUTPUT_SHAPES, type OutputChange, type OutputType } from '#schemas/api/outputs.ts';
import type { Seal } from '../executions/secrets/seal.ts';
import { entityTag, mayChange } from '../http/entity-tag.ts';
import { beginCollecting } from './collect.ts';
import { type OutputReach, openOutput, openSecrets, outputTypes, secretsContext } from './open-output.ts';
import { OutputFailure } from './port.ts';
import { resendDeadLetters } from './tables/output-dead-letters.ts';
import {
  anyOutput,
  deleteOutput,
  findOutput,
  hurryOutput,
  insertOutput,
  lockOutput,
  lockOutputs,
  type OutputRow,
  replaceOutput,
} from './tables/outputs.ts';
import { testMessage } from './test-message.ts';

export interface ChangedBy {
  /** See `actorOf`. */
  readonly actor: string;
  readonly origin: RequestOrigin;
}

/** Who changes what there is; `ifMatch`: the ETag the change was made for, undefined: whatever it is now. */
export interface ChangesWhatWasRead extends ChangedBy {
  readonly ifMatch?: string | undefined;
}

/** The change is refused; `taken`: another output has the name; `changed_meanwhile`: it changed since it was read. */
export class OutputRefused extends Error {
  override readonly name = 'OutputRefused';
  readonly reason: 'taken' | 'unavailable' | 'changed_meanwhile' | z.ZodError;

  constructor(reason: OutputRefused['reason']) {
    super('the output can not be like that');
    this.reason = reason;
  }
}

export interface OutputTestResult {
  readonly ok: boolean;
  readonly answer: string;
  readonly ms: number;
}

/** Makes and changes outputs, with an audit entry each; undefined, or false, when the output does not exist. Secrets go in and come out only to deliver. */
export interface Outputs {
  /** Rejects with `OutputRefused`. */
  create(wanted: NewOutput, by: ChangedBy): Promise<OutputRow>;
  /** Rejects with `OutputRefused`. */
  change(id: string, change: OutputChange, by: ChangesWhatWasRead): Promise<OutputRow | undefined>;
  /** Rejects with `OutputRefused`. */
  remove(id: string, by: ChangesWhatWasRead): Promise<boolean>;
  /** Sends a marked test detection at once, outside the queue. */
  test(id: string, by: ChangedBy): Promise<OutputTestResult | undefined>;
  /** Has dead letters sent again, at once; resolves to how many. */
  resend(id: string, ids: readonly number[] | undefined, by: ChangedBy): Promise<number | undefined>;
}

export interface OutputsDeps {
  readonly database: Database;
  readonly audit: Audit;
  readonly seal: Seal;
  readonly reach: OutputReach;
}

const TEST_MS = 10_000;

export function createOutputs({ database, audit, seal, reach }: OutputsDeps): Outputs {
  const types = outputTypes(reach);

  const sealed = (id: string, secrets: object) => {
    const set = Object.fromEntries(Object.entries(secrets).filter(([, value]) => value !== undefined));
    const secretNames = Object.keys(set).sort();
    return {
      secretNames,
      secrets: secretNames.length === 0 ? null : seal.seal(JSON.stringify(set), secretsContext(id)),
    };
  };
  const entry = (id: string, by: ChangedBy): Pick<AuditEntry, 'actor' | 'target' | 'origin'> => ({
    actor: by.actor,
    target: `output:${id}`,
    origin: by.origin,
  });

  return {
    async create({ secrets, ...wanted }, by) {
      if (!types.has(wanted.type)) throw new OutputRefused('unavailable');
      const id = `out_${randomBytes(16).toString('hex')}`;
      return inTransaction(database, async (transaction) => {
        await lockOutputs(transaction);
        if (!(await anyOutput(transaction))) await beginCollecting(transaction, Date.now());
        const row = await insertOutput(transaction, { id, ...wanted, ...sealed(id, secrets), createdBy: by.actor });
        const diff = diffOf(undefined, row);
        await audit.record(transaction, { ...entry(id, by), action: 'output.create', diff });
        return row;
      }).catch(refusal);
    },

    async change(id, { settings, secrets = {}, ...change }, by) {
      return inTransaction(database, async (transaction) => {
        const before = await lockOutput(transaction, id);
        if (before === undefined) return undefined;
        refuseOvertaken(before, by);
        const wanted = check(before.type, settings ?? before.settings, changedSecrets(before, settings, secrets));
        const { name = before.name, enabled = before.enabled, filter = before.filter } = change;
        const row = { name, enabled, filter, settings: wanted.settings, ...sealed(id, wanted.secrets) };
        const after = await replaceOutput(transaction, id, row);
        const diff = { ...diffOf(before, after), ...secretsDiff(Object.keys(secrets)) };
        await audit.record(transaction, { ...entry(id, by), action: 'output.update', diff });
        return after;
      }).catch(refusal);
    },

    remove: (id, by) =>
      inTransaction(database, async (transaction) => {
        await lockOutputs(transaction);
        const before = await lockOutput(transaction, id);
        if (before === undefined) return false;
        refuseOvertaken(before, by);
        await deleteOutput(transaction, id);
        const diff = { name: { before: before.name }, type: { before: before.type } };
        await audit.record(transaction, { ...entry(id, by), action: 'output.delete', diff });
        return true;
      }),

    async test(id, by) {
      const row = await findOutput(database, id);
      if (row === undefined) return undefined;
      await inTransaction(database, (transaction) =>
        audit.record(transaction, { ...entry(id, by), action: 'output.test' }),
      );
      const began = performance.now();
      const result = (ok: boolean, answer: string) => ({ ok, answer, ms: Math.round(performance.now() - began) });
      try {
        const output = openOutput({ reach, seal }, row);
        const signal = AbortSignal.timeout(TEST_MS);
        const { answer } = await output
          .deliver([testMessage(row.name, new Date())], signal)
          .finally(() => output.close());
        return result(true, answer);
      } catch (error) {
        if (!(error instanceof OutputFailure)) throw error;
        return result(false, error.message);
      }
    },

    resend: (id, ids, by) =>
      inTransaction(database, async (transaction) => {
        if ((await lockOutput(transaction, id)) === undefined) return undefined;
        const count = await resendDeadLetters(transaction, id, ids);
        if (count === 0) return 0;
        await hurryOutput(transaction, id);
        const diff = { count: { after: count } };
        await audit.record(transaction, { ...entry(id, by), action: 'output.resend', diff });
        return count;
      }),
  };

  /** None where no secret of the installation opens them any more: they are asked for again then. */
  function readable(row: OutputRow): Record<string, string> {
    try {
      return openSecrets(seal, row);
    } catch (error) {
      if (error instanceof OutputFailure) return {};
      throw error;
    }
  }

  /**
   * The secrets as they are after the change. A receiver that changes loses them unless they are set again: otherwise a user who may change
   * outputs could have them sent to their own server.
   */
  function changedSecrets(
    before: OutputRow,
    settings: Record<string, unknown> | undefined,
    changes: Readonly<Record<string, string | null>>,
  ): Record<string, string> {
    const kept = settings === undefined || receiverOf(settings) === receiverOf(before.settings) ? readable(before) : {};
    const merged = Object.entries({ ...kept, ...changes });
    return Object.fromEntries(merged.filter((one): one is [string, string] => one[1] !== null));
  }
}

/** What names the receiver in the settings of any type. */
function receiverOf({ url, host, port, tls, serverName, ca }: Record<string, unknown>): string {
  return JSON.stringify([url, host, port, tls, serverName, ca]);
}

function refuseOvertaken({ version }: OutputRow, { ifMatch }: ChangesWhatWasRead): void {
  if (!mayChange(ifMatch, entityTag(version))) throw new OutputRefused('changed_meanwhile');
}

function check(type: OutputType, settings: unknown, secrets: unknown) {
  const { data, error } = z.object(OUTPUT_SHAPES[type]).safeParse({ settings, secrets });
  if (error !== undefined) throw new OutputRefused(error);
  return data;
}

function refusal(error: unknown): never {
  throw violatedUnique(error) === 'outputs_name_key' ? new OutputRefused('taken') : error;
}

type Diff = NonNullable<AuditEntry['diff']>;

/** Settings hold no secrets; certificates are long, and no news. */
function diffOf(before: OutputRow | undefined, after: OutputRow): Diff {
  const fields = (row: OutputRow | undefined): Record<string, unknown> => {
    if (row === undefined) return {};
    const { ca: _ca, certificate: _certificate, ...settings } = row.settings;
    const { name, type, enabled, filter } = row;
    return { name, type, enabled, filter, settings };
  };
  const [old, now] = [fields(before), fields(after)];
  const changed = Object.keys(now).filter((name) => !isDeepStrictEqual(old[name], now[name]));
  return Object.fromEntries(changed.map((name) => [name, { before: old[name], after: now[name] }]));
}

/** That they changed, never what they are. Named otherwise: a field called `secrets` is redacted. */
function secretsDiff(names: readonly string[]): Diff {
  return names.length === 0 ? {} : { replaced: { after: names } };
}
