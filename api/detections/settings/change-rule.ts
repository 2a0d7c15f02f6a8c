import { type DetectionSettings, settingsOfRule } from '#analytics/detections/settings.ts';
import type { Audit } from '#api/audit/port.ts';
import { entityTag, mayChange } from '#api/http/responses/entity-tag.ts';
import type { Database } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import { findRuleSettings, growSettingsVersion, lockSettings, saveRuleSettings } from '../tables/rule-settings.ts';

import type { SettingsChangedBy } from './changed-by.ts';
import { proposeRule, type RuleProposal } from './propose-rule.ts';

export type RuleChangeOutcome = 'updated' | 'unchanged' | 'changed_meanwhile';

/**
 * Changes the settings of a rule, in one transaction with its audit entry. All processes that judge adopt them within
 * seconds. Rejects with the `ZodError` of `proposeRule`.
 */
export type ChangeRule = (
  rule: string,
  proposal: RuleProposal,
  by: SettingsChangedBy & { readonly ifMatch?: string | undefined },
) => Promise<RuleChangeOutcome>;

export interface ChangeRuleDeps {
  readonly database: Database;
  readonly audit: Audit;
  /** Settings of the rules file. */
  readonly base: DetectionSettings;
  /** Called after every change. Other processes find the change by polling. */
  readonly changed: () => Promise<void>;
}

export function createRuleChange({ database, audit, base, changed }: ChangeRuleDeps): ChangeRule {
  return async (rule, proposal, { actor, origin, ifMatch }) => {
    const outcome = await inTransaction(database, async (transaction): Promise<RuleChangeOutcome> => {
      await lockSettings(transaction);
      const row = await findRuleSettings(transaction, rule);
      const version = row?.version ?? 0;
      if (!mayChange(ifMatch, entityTag(version))) return 'changed_meanwhile';
      const now = row?.settings ?? {};
      const before = effective(base, rule, now);
      const { over, settings } = proposeRule(base, rule, now, proposal);
      const diff = differences(before, settings);
      if (Object.keys(diff).length === 0 && Object.keys(differences(now, over)).length === 0) return 'unchanged';
      await saveRuleSettings(transaction, { rule, version: version + 1, settings: over, changedBy: actor });
      await growSettingsVersion(transaction);
      await audit.record(transaction, { actor, target: `rule:${rule}`, action: 'rule.update', diff, origin });
      return 'updated';
    });
    // The change is stored. If this process cannot read it now, its next poll does.
    if (outcome === 'updated') await changed().catch(() => {});
    return outcome;
  };
}

/** Returns the effective settings, even if an upgrade made the stored settings invalid. */
function effective(base: DetectionSettings, rule: string, over: Readonly<Record<string, unknown>>) {
  try {
    return proposeRule(base, rule, over, {}).settings;
  } catch {
    return settingsOfRule(base, rule);
  }
}

function differences(before: Readonly<Record<string, unknown>>, after: Readonly<Record<string, unknown>>) {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return Object.fromEntries(
    names
      .filter((name) => before[name] !== after[name])
      .map((name) => [name, { before: before[name], after: after[name] }]),
  );
}
