import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { catalogue } from '#analytics/detections/catalogue.ts';
import { RULES, ruleById } from '#analytics/detections/rule-registry.ts';
import { DEFAULT_DETECTION_SETTINGS } from '#analytics/detections/settings.ts';
import { attackSchema } from '#schemas/detection.ts';

/** Clients and stored detections refer to these ids: they are never removed, renamed or reordered. */
const RELEASED = [
  'instruction-pointer-probe',
  'register-value-probe',
  'stack-canary-probe',
  'suppressed-crash-burst',
  'detector-tampering',
];

test('the catalogue is plain JSON with every file of rules/ once, released rules first', () => {
  const rules = catalogue();
  expect(JSON.parse(JSON.stringify(rules))).toEqual(rules);
  const ids = rules.map((rule) => rule.id);
  expect(ids.slice(0, RELEASED.length)).toEqual(RELEASED);
  const files = readdirSync(new URL('../../../analytics/detections/rules/', import.meta.url));
  expect(files.sort()).toEqual(ids.flatMap((id) => [`${id}.cases.ts`, `${id}.ts`]).sort());
  expect(ids).toEqual(RULES.map(({ id }) => id));
});

test.each(catalogue().map((rule) => [rule.id, rule] as const))('%s says what an analyst has to do', (id, rule) => {
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
