import { readdirSync } from 'node:fs';
import { z } from 'zod';
import { ruleIdSchema } from '#schemas/detection.ts';
import { RULE_ID_PATTERN } from '#schemas/detection-terms.ts';
import type { Rule } from './rule.ts';
import { isUserRuleId, USER_RULE_PREFIX } from './user-rules/user-rule-id.ts';

const FOLDER = new URL('./rules/', import.meta.url);

/** Every rule of `rules/`, in the order in which they are listed. A rule is its file: nothing else names it. */
export const RULES: readonly Rule[] = await loadRules();

const BY_ID: ReadonlyMap<string, Rule> = new Map(RULES.map((rule) => [rule.id, rule]));

/** The rule of this id. Throws a `RangeError` for an unknown id. */
export function ruleById(id: string): Rule {
  const rule = BY_ID.get(id);
  if (rule === undefined) throw new RangeError(`there is no rule ${id}`);
  return rule;
}

/** Whether there is a rule of this id. */
export function isRuleId(id: string): boolean {
  return BY_ID.has(id);
}

/** Whether a rule may have this id: one of this version, or one of a user. */
export function isKnownRuleId(id: string): boolean {
  return isRuleId(id) || isUserRuleId(id);
}

/** Id of a rule that this version has, or may have from a user. The contract is the open `ruleIdSchema`: a new rule changes no description and no client. */
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

/** Returns the rule of a file. Throws at start what the compiler cannot see: a rule is found by its file, not by an import. */
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
