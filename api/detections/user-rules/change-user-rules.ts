import { MAX_SOURCES, MAX_USER_RULES } from '#analytics/detections/user-rules/limits.ts';
import { readRule } from '#analytics/detections/user-rules/read-rule.ts';
import { runCases } from '#analytics/detections/user-rules/run-cases.ts';
import type { UserRule } from '#analytics/detections/user-rules/user-rule.ts';
import type { Audit } from '#api/audit/port.ts';
import { apiError } from '#api/http/api-error.ts';
import type { Database, Db } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import type { SettingsChangedBy } from '../settings/changed-by.ts';
import { growSettingsVersion, lockSettings } from '../tables/rule-settings.ts';
import { appendUserRuleVersion, findUserRule, listUserRules, switchUserRule } from '../tables/user-rules.ts';

export type PushOutcome = 'created' | 'updated' | 'unchanged';

/** Changes of user rules, each in one transaction with its audit entry. Lanes adopt them within seconds. */
export interface UserRuleChanges {
  /**
   * Adds a version of a rule. Rejects with a 400 with line and reason for an invalid rule or failed cases, and with a
   * 409 over the limits.
   */
  push(source: string, by: SettingsChangedBy): Promise<{ readonly id: string; readonly outcome: PushOutcome }>;
  /** Enables or disables a rule. False if there is no such rule. */
  setEnabled(id: string, enabled: boolean, by: SettingsChangedBy): Promise<boolean>;
}

export interface UserRuleChangesDeps {
  readonly database: Database;
  readonly audit: Audit;
  /** Called after every change. Other processes find the change by polling. */
  readonly changed: () => Promise<unknown>;
}

export function createUserRuleChanges({ database, audit, changed }: UserRuleChangesDeps): UserRuleChanges {
  return {
    async push(source, { actor, origin }) {
      const { id, sha256 } = acceptedRule(source);
      const outcome = await inTransaction(database, async (transaction): Promise<PushOutcome> => {
        await lockSettings(transaction);
        const current = await findUserRule(transaction, id);
        if (current?.sha256 === sha256) return 'unchanged';
        if (current?.enabled !== false) await refuseBeyondLimits(transaction, id, source);
        const version = (current?.version ?? 0) + 1;
        await appendUserRuleVersion(transaction, { rule: id, version, source, sha256, pushedBy: actor });
        await growSettingsVersion(transaction);
        const diff = {
          version: { before: current?.version ?? null, after: version },
          sha256: { before: current === undefined ? null : inGroups(current.sha256), after: inGroups(sha256) },
        };
        await audit.record(transaction, { actor, target: `rule:${id}`, action: 'user-rule.push', diff, origin });
        return current === undefined ? 'created' : 'updated';
      });
      // The change is stored. If this process cannot read it now, its next poll does.
      if (outcome !== 'unchanged') await changed().catch(() => {});
      return { id, outcome };
    },

    async setEnabled(id, enabled, { actor, origin }) {
      const outcome = await inTransaction(database, async (transaction) => {
        await lockSettings(transaction);
        const current = await findUserRule(transaction, id);
        if (current === undefined) return 'missing';
        if (current.enabled === enabled) return 'unchanged';
        if (enabled) await refuseBeyondLimits(transaction, id, current.source);
        await switchUserRule(transaction, { id, enabled, changedBy: actor });
        await growSettingsVersion(transaction);
        const diff = { enabled: { before: current.enabled, after: enabled } };
        await audit.record(transaction, { actor, target: `rule:${id}`, action: 'user-rule.update', diff, origin });
        return 'updated';
      });
      if (outcome === 'updated') await changed().catch(() => {});
      return outcome !== 'missing';
    },
  };
}

/** Formats a hash for the audit log in groups of eight digits, because long runs of digits are redacted there. */
export function inGroups(sha256: string): string {
  return sha256.match(/.{8}/g)?.join(' ') ?? sha256;
}

/** Parses and validates the source of a rule. Throws a 400 with line and reason. */
export function acceptedRule(source: string): UserRule {
  const read = readRule(source);
  if (!read.ok) {
    const { line, path, message } = read.refusal;
    throw apiError('invalid_value', `line ${line}: ${path}: ${message}`, 'source');
  }
  const failed = runCases(read.rule, source).find(({ passed }) => !passed);
  if (failed !== undefined) {
    const { line, name, expected, found } = failed;
    throw apiError(
      'invalid_value',
      `line ${line}: the case "${name}" expects ${expected} detections and finds ${found}`,
      'source',
    );
  }
  return read.rule;
}

/** Limits the enabled rules: all of them are evaluated for each event and saved with each snapshot. */
async function refuseBeyondLimits(transaction: Db, id: string, source: string): Promise<void> {
  const others = (await listUserRules(transaction)).filter((row) => row.enabled && row.id !== id);
  if (others.length >= MAX_USER_RULES)
    throw apiError('conflict', `${MAX_USER_RULES} rules are on, which is the limit: disable one first`);
  const characters = others.reduce((sum, row) => sum + row.source.length, source.length);
  if (characters > MAX_SOURCES)
    throw apiError(
      'conflict',
      `the rules that are on would have ${characters} characters, at most ${MAX_SOURCES}: disable one first`,
    );
}
