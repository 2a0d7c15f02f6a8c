import { z } from 'zod';
import { type SecretUse, secretUseOf } from '../agent-config.ts';
import { modelSchema } from '../model-config.ts';

const json = z.unknown();
const text = (max: number) => z.string().min(1).max(max);
const at = z
  .string()
  .max(500)
  .regex(/^(?:\/(?:[^~/]|~[01])*)*$/, 'must be a JSON pointer, such as /verdict')
  .describe('JSON pointer into the output; default the whole output')
  .optional();
const name = text(100).describe('Unique among the checks').optional();
const tool = text(200).describe('Name of a tool; * matches any characters');

/** A requirement on a run or its output. */
export const checkSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('exact'), name, at, value: json.describe('Equal, as JSON') }),
  z.strictObject({ type: z.literal('contains'), name, at, text: text(10_000), ignoreCase: z.boolean().optional() }),
  z.strictObject({
    type: z.literal('regex'),
    name,
    at,
    pattern: text(1_000).describe('Regular expression of RE2, which matches somewhere in the text'),
  }),
  z.strictObject({ type: z.literal('json-schema'), name, at, schema: z.record(z.string(), json) }),
  z.strictObject({
    type: z.literal('jq'),
    name,
    expression: text(4_000).describe('jq on {input, output, expected, cost, tools}; passes with the value true'),
  }),
  z.strictObject({
    type: z.literal('tool-called'),
    name,
    tool,
    atLeast: z.int().min(1).max(10_000).describe('Default 1').optional(),
    atMost: z.int().min(1).max(10_000).optional(),
  }),
  z.strictObject({ type: z.literal('tool-not-called'), name, tool }),
  z.strictObject({ type: z.literal('max-duration'), name, ms: z.number().min(1).max(3_600_000) }),
  z.strictObject({ type: z.literal('max-tokens'), name, tokens: z.number().min(0).max(10_000_000) }),
  z.strictObject({
    type: z.literal('max-credits'),
    name,
    credits: z.number().min(0).max(1_000_000).describe('Maximum cost. A run with an unknown cost fails the check'),
  }),
  z.strictObject({
    type: z.literal('judge'),
    name,
    rubric: text(10_000).describe('Question that the model judges'),
    repeat: z.int().min(1).max(9).describe('Judgements; the majority decides. Default 1').optional(),
    model: modelSchema.describe('Default: the model of the installation').optional(),
  }),
]);
export type Check = z.output<typeof checkSchema>;
export type RuleCheck = Exclude<Check, { type: 'judge' }>;
export type JudgeCheck = Extract<Check, { type: 'judge' }>;

/** The checks of every run of an example of an agent. */
export const checksSchema = z
  .array(checkSchema)
  .max(50)
  .refine((checks) => new Set(checks.map(nameOf)).size === checks.length, 'two checks have the same name');

/** Returns the name of a check, or one generated from its type and index. */
export function nameOf(check: Check, index: number): string {
  return check.name ?? `${check.type} ${index + 1}`;
}

/** Returns the secrets that judges use, with their destinations. */
export function secretUsesOfChecks(checks: readonly Check[]): SecretUse[] {
  return checks.flatMap((check) => (check.type === 'judge' ? secretUseOf(check.model ?? {}) : []));
}

/** Result of a check. */
export interface CheckResult {
  readonly name: string;
  readonly type: Check['type'];
  /** Null if it was not evaluated: the judge failed to respond, or a rule had failed before. */
  readonly passed: boolean | null;
  readonly message: string;
  /** For a judge: number of judgements, and the share of the majority. */
  readonly votes?: {
    readonly pass: number;
    readonly fail: number;
    readonly invalid: number;
    readonly agreement: number | null;
  };
}
