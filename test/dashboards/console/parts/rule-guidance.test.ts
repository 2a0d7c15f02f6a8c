import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { RULES } from '#analytics/detections/rule-registry.ts';
import { RULE_GUIDANCE_GERMAN } from '#dashboards/console/src/parts/rule-guidance.de.ts';

/**
 * Digests of the English texts that were translated. When a text changes, update its translation, then its digest here.
 */
const TRANSLATED: Readonly<Record<string, string>> = {
  'instruction-pointer-probe': 'ea23e8f6a460',
  'register-value-probe': '42d06ea550c8',
  'stack-canary-probe': '6ef98860cc10',
  'suppressed-crash-burst': 'ee7d883cb8fa',
  'detector-tampering': '173e68633c00',
  'unmapped-jump': 'f654e0400c96',
  'sensitive-program-crash': 'c0e9f104ca47',
  'fleet-scan': '4b587e86e646',
  'host-risk': 'fac8e661d326',
};

const CODE = /`[^`]+`/g;

// The console shows a rule without German guidance in English.
test.each(RULES.flatMap((rule) => (rule.id in RULE_GUIDANCE_GERMAN ? [[rule.id, rule] as const] : [])))(
  'the German guidance of %s says what the English one says',
  (id, rule) => {
    const { summary, runbook } = rule;
    const english = [summary, ...runbook.nextChecks, ...runbook.falsePositives];
    const german = RULE_GUIDANCE_GERMAN[id as keyof typeof RULE_GUIDANCE_GERMAN];
    expect(german.nextChecks).toHaveLength(runbook.nextChecks.length);
    expect(german.falsePositives).toHaveLength(runbook.falsePositives.length);
    // Commands and names of settings are not translated.
    const codeOf = (texts: readonly string[]) => texts.map((text) => text.match(CODE) ?? []);
    expect(codeOf([german.summary, ...german.nextChecks, ...german.falsePositives])).toEqual(codeOf(english));
    expect(createHash('sha256').update(english.join('\n')).digest('hex').slice(0, 12)).toBe(TRANSLATED[id]);
  },
);
