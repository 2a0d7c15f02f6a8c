import { z } from 'zod';
import { SEVERITIES } from '#schemas/detection.ts';
import { detectionExceptionSchema } from './exception.ts';
import type { RuleSettings } from './rule.ts';
import { RULES } from './rule-registry.ts';
import { MAX_SOURCE, MAX_USER_RULES } from './user-rules/limits.ts';

const enabled = z.boolean().default(true);
/** Severity setting of every rule. It overrides the severity by evidence. */
const severity = z
  .enum(['auto', ...SEVERITIES])
  .default('auto')
  .describe(`Severity: auto (by the evidence), ${SEVERITIES.join(', ')}`);

/** Memory limits of a tracker, per (topic, partition). */
const limitsSchema = z.strictObject({
  maxPrograms: z.int().min(1).default(100_000).describe('Programs remembered; above, the least promising is forgotten'),
  maxProgramsPerHost: z.int().min(1).default(4_000),
  maxPointsPerProgram: z.int().min(32).max(65_536).default(1_024).describe('Distinct crash addresses of a program'),
  maxPoints: z.int().min(1).default(1_000_000).describe('Distinct crash addresses and register values in all'),
  maxValues: z.int().min(256).max(65_536).default(4_096).describe('Distinct values an episode counts exactly'),
});

/** Kinds of justification, from the least to the most detailed. */
export const JUSTIFICATIONS = ['none', 'summary', 'full'] as const;
export type Justification = (typeof JUSTIFICATIONS)[number];

/** Maximum number of exceptions of all sources together. */
export const MAX_EXCEPTIONS = 10_000;

/** Enabled user rules. `user-rules/` parses and evaluates them. */
const userRulesSchema = z
  .array(z.strictObject({ source: z.string().max(MAX_SOURCE), version: z.int().min(1) }))
  .max(MAX_USER_RULES)
  .default([]);
export type UserRuleSource = z.output<typeof userRulesSchema>[number];

/** Settings of any rule. `quiet` is the only threshold that all rules have. */
export type AnyRuleSettings = RuleSettings<z.ZodObject> & { readonly quiet: number };
type RuleSettingsSchema = z.ZodObject<Readonly<Record<string, z.ZodType>>>;

/** Settings schema by rule: its thresholds, its severity, and whether it is enabled. */
const SETTINGS_OF_RULES: ReadonlyMap<string, RuleSettingsSchema> = new Map(
  RULES.map(({ id, thresholds }) => [id, thresholds.extend({ enabled, severity })]),
);

/** Returns the settings schema of a rule. Throws a `RangeError` if the rule does not exist. */
export function ruleSettingsSchema(id: string): RuleSettingsSchema {
  const schema = SETTINGS_OF_RULES.get(id);
  if (schema === undefined) throw new RangeError(`there is no rule ${id}`);
  return schema;
}

/**
 * Operator settings of detections. Everything has a default: `parse({})` is the shipped configuration. Unknown names
 * are rejected everywhere, so that a misspelled threshold does not look as if it were set.
 */
export const detectionSettingsSchema = z.strictObject({
  // The registry gives the schemas no static type. checkedRule() checks that each has `quiet`.
  rules: z
    .strictObject(Object.fromEntries([...SETTINGS_OF_RULES].map(([id, schema]) => [id, schema.prefault({})])))
    .prefault({}) as unknown as z.ZodType<Readonly<Record<string, AnyRuleSettings>>>,
  exceptions: z.array(detectionExceptionSchema).max(MAX_EXCEPTIONS).default([]),
  userRules: userRulesSchema,
  limits: limitsSchema.prefault({}),
  justification: z
    .enum(JUSTIFICATIONS)
    .default('summary')
    .describe(
      'What a RegisterProbe event carries: none (the number of events), summary (register values while they are few) or full (up to 16 whole events of the program; costs memory of limits.maxPoints)',
    ),
});

export type DetectionSettings = z.output<typeof detectionSettingsSchema>;

export const DEFAULT_DETECTION_SETTINGS: DetectionSettings = detectionSettingsSchema.parse({});

/** Returns the longest time in which a rule counts crashes before it opens an episode, seconds. */
export function longestWindow({ rules }: Pick<DetectionSettings, 'rules'>): number {
  const windows = Object.values(rules).flatMap((rule) =>
    Object.entries(rule).flatMap(([name, value]) =>
      /window$/i.test(name) && typeof value === 'number' ? [value] : [],
    ),
  );
  return Math.max(0, ...windows);
}

/** Returns the settings in effect for a rule. Throws a `RangeError` if the rule does not exist. */
export function settingsOfRule(settings: Pick<DetectionSettings, 'rules'>, id: string): AnyRuleSettings {
  const found = Object.hasOwn(settings.rules, id) ? settings.rules[id] : undefined;
  if (found === undefined) throw new RangeError(`there is no rule ${id}`);
  return found;
}
