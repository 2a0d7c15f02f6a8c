import { expect, test } from 'vitest';
import { z } from 'zod';
import { checkedRule, isRuleId, knownRuleIdSchema, RULES, ruleById } from '#analytics/detections/rule-registry.ts';
import { settingsOfRule } from '#analytics/detections/settings.ts';
import { ruleIdSchema } from '#schemas/detection.ts';

const [rule] = RULES as [(typeof RULES)[number]];

test('a rule is found only by its id', () => {
  for (const { id } of RULES) expect(ruleById(id).id).toBe(id);
  for (const id of ['no-such-rule', 'constructor', '']) {
    expect(isRuleId(id)).toBe(false);
    expect(() => ruleById(id)).toThrow(RangeError);
    expect(() => settingsOfRule({ rules: {} }, id)).toThrow(RangeError);
  }
});

test('a file that is not a rule stops the start and is named', () => {
  expect(() => checkedRule('a.ts', undefined)).toThrow('analytics/detections/rules/a.ts must export `rule`');
  expect(() => checkedRule('a.ts', rule)).toThrow(`named after the id of its rule (got ${rule.id})`);
  expect(() => checkedRule('A_b.ts', { ...rule, id: 'A_b' })).toThrow('words in lower case joined by hyphens');
  const thresholds = z.strictObject({ window: z.number().default(1) });
  expect(() => checkedRule('a.ts', { ...rule, id: 'a', thresholds })).toThrow('thresholds must have `quiet`');
});

test('the contract accepts the id of any rule, and the API accepts existing ones', () => {
  expect(ruleIdSchema.safeParse('a-later-rule').success).toBe(true);
  expect(ruleIdSchema.safeParse('Not an id').success).toBe(false);
  expect(knownRuleIdSchema.safeParse(rule.id).success).toBe(true);
  for (const id of ['a-later-rule', 'Not an id'])
    expect(knownRuleIdSchema.safeParse(id).error?.issues).toMatchObject([
      { code: 'invalid_value', values: RULES.map((one) => one.id) },
    ]);
  expect(z.toJSONSchema(knownRuleIdSchema)).toMatchObject({ type: 'string', pattern: expect.any(String) });
});
