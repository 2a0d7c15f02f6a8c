import { expect, test } from 'vitest';
import { catalogue, ruleById } from '#analytics/detections/catalogue.ts';
import { DEFAULT_DETECTION_SETTINGS } from '#analytics/detections/settings.ts';
import { attackSchema, RULE_IDS } from '#schemas/detection.ts';

test('the catalogue is plain JSON with every rule once, in the order of the contract', () => {
  const rules = catalogue();
  expect(JSON.parse(JSON.stringify(rules))).toEqual(rules);
  expect(rules.map((rule) => rule.id)).toEqual(RULE_IDS);
});

test.each(catalogue().map((rule) => [rule.id, rule] as const))('%s tells an analyst what to do', (id, rule) => {
  expect(rule.runbook.nextChecks.length).toBeGreaterThanOrEqual(4);
  expect(rule.runbook.falsePositives.length).toBeGreaterThanOrEqual(2);
  for (const step of [...rule.runbook.nextChecks, ...rule.runbook.falsePositives])
    expect(step.length).toBeGreaterThan(40);
  for (const technique of rule.attack) expect(attackSchema.parse(technique)).toEqual(technique);
  expect(rule.attack.length).toBeGreaterThan(0);
  for (const { name, description, default: value } of rule.thresholds) {
    expect(description, name).not.toBe('');
    expect(DEFAULT_DETECTION_SETTINGS.rules[id]).toMatchObject({ [name]: value });
  }
  expect(ruleById(id).version).toBe(rule.version);
});
