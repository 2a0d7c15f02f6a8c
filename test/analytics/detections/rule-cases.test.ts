import { describe, expect, test } from 'vitest';
import { analyzeEvents } from '#analytics/detections/analyze.ts';
import { RULE_CASES } from '#analytics/detections/rules/cases.ts';
import { DEFAULT_DETECTION_SETTINGS } from '#analytics/detections/settings.ts';
import { detectionSchema } from '#schemas/detection.ts';

describe.each(Object.entries(RULE_CASES))('%s', (id, cases) => {
  test('has stories that fire and stories that do not', () => {
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
