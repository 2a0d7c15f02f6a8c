import { describe, expect, test } from 'vitest';
import { analyzeEvents } from '#analytics/detections/analyze.ts';
import type { RuleCase } from '#analytics/detections/rule-case.ts';
import { RULES } from '#analytics/detections/rule-registry.ts';
import { DEFAULT_DETECTION_SETTINGS } from '#analytics/detections/settings.ts';
import { detectionSchema } from '#schemas/detection.ts';

/** Every rule has a file of cases. A missing file fails this test. */
const RULE_CASES = await Promise.all(
  RULES.map(async ({ id }) => {
    const file = new URL(`../../../analytics/detections/rules/${id}.cases.ts`, import.meta.url);
    const { cases } = (await import(file.href)) as { readonly cases: readonly RuleCase[] };
    return [id, cases] as const;
  }),
);

describe.each(RULE_CASES)('%s', (id, cases) => {
  test('has cases that fire and cases that do not', () => {
    expect(cases.some((story) => story.registers.length > 0)).toBe(true);
    expect(cases.some((story) => story.registers.length === 0)).toBe(true);
  });

  test.each(cases)('$name', ({ events, registers, others = [] }) => {
    const found = analyzeEvents(events, DEFAULT_DETECTION_SETTINGS);
    expect(found.filter((d) => d.rule.id === id).map((d) => d.register)).toEqual(registers);
    expect(found.filter((d) => d.rule.id !== id).map((d) => d.rule.id)).toEqual(others);
    for (const detection of found) expect(detectionSchema.parse(detection)).toEqual(detection);
  });
});
