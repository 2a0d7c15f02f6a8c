import { readdirSync } from 'node:fs';
import { z } from 'zod';
import { ruleIdSchema } from '#schemas/detection.ts';
import { RULE_ID_PATTERN } from '#schemas/detection-terms.ts';
import type { Rule } from './rule.ts';
import { isUserRuleId, USER_RULE_PREFIX } from './user-rules/user-rule-id.ts';

const FOLDER = new URL('./rules/', import.meta.url);

/** All rules in `rules/`, in list order. The registry finds a rule by its file, so no other code names it. */
export const RULES: readonly Rule[] = await loadRules();

const BY_ID: ReadonlyMap<string, Rule> = new Map(RULES.map((rule) => [rule.id, rule]));

/** Returns the rule with this id. Throws a `RangeError` if the id is unknown. */
export function ruleById(id: string): Rule {
  const rule = BY_ID.get(id);
  if (rule === undefined) throw new RangeError(`there is no rule ${id}`);
  return rule;
}

/** Returns true if a rule with this id exists. */
export function isRuleId(id: string): boolean {
  return BY_ID.has(id);
}

/** Returns true if the id is that of a rule of this version, or has the form of a user rule's id. */
export function isKnownRuleId(id: string): boolean {
  return isRuleId(id) || isUserRuleId(id);
}

/**
 * Id of a rule of this version, or in the form of a user rule's id. The API contract is the open `ruleIdSchema`, so
 * that a new rule changes no description and no client.
 */
export const knownRuleIdSchema = z
  .string()
  .check((context) => {
    if (isKnownRuleId(context.value)) return;
    context.issues.push({ code: 'invalid_value', values: [...BY_ID.keys()], input: context.value });
  })
  .meta({ ...ruleIdSchema.meta(), pattern: RULE_ID_PATTERN.source });

async function loadRules(): Promise<readonly Rule[]> {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.ts') && !file.endsWith('.cases.ts'));
  const rules = await Promise.all(
    files.map(async (file) => {
      const module = (await import(new URL(file, FOLDER).href)) as { readonly rule?: Rule };
      return checkedRule(file, module.rule);
    }),
  );
  const last = rules.length + 1;
  return rules.sort((a, b) => (a.order ?? last) - (b.order ?? last) || (a.id < b.id ? -1 : 1));
}

/**
 * Returns the rule of a file. Throws at start for errors that the compiler cannot detect, because rules are loaded by
 * file and not imported.
 */
export function checkedRule(file: string, rule: Rule | undefined): Rule {
  const where = `analytics/detections/rules/${file}`;
  if (rule === undefined) throw new Error(`${where} must export \`rule\`, made by defineRule()`);
  if (`${rule.id}.ts` !== file) throw new Error(`${where} must be named after the id of its rule (got ${rule.id})`);
  if (!ruleIdSchema.safeParse(rule.id).success)
    throw new Error(`${where}: the id must be words in lower case joined by hyphens (got ${rule.id})`);
  if (rule.id.startsWith(USER_RULE_PREFIX))
    throw new Error(`${where}: ids that begin with ${USER_RULE_PREFIX} belong to the rules of users (got ${rule.id})`);
  if (rule.thresholds.shape.quiet === undefined) throw new Error(`${where}: thresholds must have \`quiet\``);
  return rule;
}
