import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { RULES } from '#analytics/detections/rule-registry.ts';
import { RULE_GUIDANCE_GERMAN } from '#dashboards/console/src/parts/rules/rule-guidance.de.ts';

/**
 * Digests of the English texts that were translated. When a text changes, update its translation, then its digest here.
 */
const TRANSLATED: Readonly<Record<string, string>> = {
  'instruction-pointer-probe': 'c2f80b5338f2',
  'memory-search': '9e0880175292',
  'register-value-probe': '0b93723afae2',
  'stack-canary-probe': '4d5028d9ed42',
  'suppressed-crash-burst': '6961ec3e33e2',
  'detector-tampering': '3cc07aae5ccd',
  'unmapped-jump': '96475f8165ef',
  'sensitive-program-crash': '636afd38b08c',
  'kernel-fault': 'c548cff0d924',
  'fleet-scan': '9b2e85328207',
  'host-risk': 'c2743f1f3db8',
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
