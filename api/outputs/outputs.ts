import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Audit, AuditEntry } from '#api/audit/port.ts';
import type { Seal } from '#api/executions/secrets/seal.ts';
import type { RequestOrigin } from '#api/http/request-origin.ts';
import { entityTag, mayChange } from '#api/http/responses/entity-tag.ts';
import type { Database } from '#api/postgres/database.ts';
import { violatedUnique } from '#api/postgres/failure.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import type { OutputChange, OutputFilter, outputKindSchema } from '#schemas/api/outputs.ts';
import { beginCollecting } from './collect.ts';
import { describeKinds, type NewOutput, outputKind } from './kind-registry.ts';
import { openOutput, openSecrets, secretsContext } from './open-output.ts';
import { OutputFailure } from './port.ts';
import type { OutputReach } from './reach.ts';
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

/** `ifMatch`: the ETag of the definition that the user read. Undefined: any version may be changed. */
export interface ConditionalChange extends ChangedBy {
  readonly ifMatch?: string | undefined;
}

/** Why a change is refused. `unavailable`: the installation cannot reach receivers of this type. */
export type OutputRefusal =
  | { readonly code: 'name_taken' }
  | { readonly code: 'changed_since_read' }
  /** Outputs of this kind send no cases. */
  | { readonly code: 'no_cases' }
  | { readonly code: 'unavailable'; readonly message: string }
  | { readonly code: 'invalid'; readonly error: z.ZodError };

export class OutputRefused extends Error {
  override readonly name = 'OutputRefused';
  readonly reason: OutputRefusal;

  constructor(reason: OutputRefusal) {
    super(`the change of the output is refused: ${reason.code}`);
    this.reason = reason;
  }
}

export interface OutputTestResult {
  readonly ok: boolean;
  readonly answer: string;
  readonly ms: number;
}

/**
 * Creates and changes outputs, with an audit entry for each change. Returns undefined, or false, if the output does not
 * exist.
 */
export interface Outputs {
  /** Returns the kinds of outputs, and why this installation cannot use some of them. */
  kinds(): z.output<typeof outputKindSchema>[];
  /** Rejects with `OutputRefused`. */
  create(wanted: NewOutput, by: ChangedBy): Promise<OutputRow>;
  /** Rejects with `OutputRefused`. */
  change(id: string, change: OutputChange, by: ConditionalChange): Promise<OutputRow | undefined>;
  /** Rejects with `OutputRefused`. */
  remove(id: string, by: ConditionalChange): Promise<boolean>;
  /** Sends a marked test detection immediately, outside the queue. */
  test(id: string, by: ChangedBy): Promise<OutputTestResult | undefined>;
  /** Queues dead letters for an immediate retry. Resolves to their number. */
  resend(id: string, ids: readonly number[] | undefined, by: ChangedBy): Promise<number | undefined>;
}

export interface OutputsDeps {
  readonly database: Database;
  readonly audit: Audit;
  readonly seal: Seal;
  readonly reach: OutputReach;
}

const TEST_MS = 10_000;

/** Long: its functions share the sealing of secrets and the audit entry. */
export function createOutputs({ database, audit, seal, reach }: OutputsDeps): Outputs {
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
    kinds: () => describeKinds(reach),

    async create({ secrets, ...wanted }, by) {
      const unavailable = outputKind(wanted.type).unavailable?.(reach);
      if (unavailable !== undefined) throw new OutputRefused({ code: 'unavailable', message: unavailable });
      refuseCases(wanted.type, wanted.filter);
      const id = `out_${randomBytes(16).toString('hex')}`;
      return inTransaction(database, async (transaction) => {
        await lockOutputs(transaction);
        if (!(await anyOutput(transaction))) await beginCollecting(transaction);
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
        refuseIfChanged(before, by);
        const wanted = check(before.type, settings ?? before.settings, changedSecrets(before, settings, secrets));
        const { name = before.name, enabled = before.enabled, filter = before.filter } = change;
        refuseCases(before.type, filter);
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
        refuseIfChanged(before, by);
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

  /** Returns the secrets of a row. Empty if no AUTH_SECRET decrypts them; then they must be set again. */
  function readable(row: OutputRow): Record<string, string> {
    try {
      return openSecrets(seal, row);
    } catch (error) {
      if (error instanceof OutputFailure) return {};
      throw error;
    }
  }

  /**
   * Returns the secrets after the change. If the receiver changes, secrets that are not set again are removed.
   * Otherwise a user who may change outputs could send them to another server.
   */
  function changedSecrets(
    before: OutputRow,
    settings: Record<string, unknown> | undefined,
    changes: Readonly<Record<string, string | null>>,
  ): Record<string, string> {
    const kept = settings === undefined || isSameReceiver(before, settings) ? readable(before) : {};
    const merged = Object.entries({ ...kept, ...changes });
    return Object.fromEntries(merged.filter((one): one is [string, string] => one[1] !== null));
  }
}

function isSameReceiver({ type, settings: before }: OutputRow, after: Record<string, unknown>): boolean {
  return outputKind(type).receiver.every((name) => isDeepStrictEqual(before[name], after[name]));
}

function refuseIfChanged({ version }: OutputRow, { ifMatch }: ConditionalChange): void {
  if (!mayChange(ifMatch, entityTag(version))) throw new OutputRefused({ code: 'changed_since_read' });
}

function refuseCases(type: string, { cases }: OutputFilter): void {
  if (cases !== undefined && !outputKind(type).sendsCases) throw new OutputRefused({ code: 'no_cases' });
}

function check(type: string, settings: unknown, secrets: unknown) {
  const shape = outputKind(type);
  const { data, error } = z
    .object({ settings: shape.settings, secrets: shape.secrets })
    .safeParse({ settings, secrets });
  if (error !== undefined) throw new OutputRefused({ code: 'invalid', error });
  return data;
}

function refusal(error: unknown): never {
  throw violatedUnique(error) === 'outputs_name_key' ? new OutputRefused({ code: 'name_taken' }) : error;
}

type Diff = NonNullable<AuditEntry['diff']>;

/** Returns the differences for the audit log. Settings contain no secrets. Certificates are omitted because of their length. */
function diffOf(before: OutputRow | undefined, after: OutputRow): Diff {
  const fields = (row: OutputRow | undefined): Record<string, unknown> => {
    if (row === undefined) return {};
    const { name, type, enabled, filter } = row;
    const settings = Object.entries(row.settings).filter(([, value]) => !String(value).startsWith('-----BEGIN '));
    return { name, type, enabled, filter, settings: Object.fromEntries(settings) };
  };
  const [old, now] = [fields(before), fields(after)];
  const changed = Object.keys(now).filter((name) => !isDeepStrictEqual(old[name], now[name]));
  return Object.fromEntries(changed.map((name) => [name, { before: old[name], after: now[name] }]));
}

/**
 * Returns the names of changed secrets, never their values. The key is not `secrets`, because the audit log redacts a
 * field of that name.
 */
function secretsDiff(names: readonly string[]): Diff {
  return names.length === 0 ? {} : { replaced: { after: names } };
}
