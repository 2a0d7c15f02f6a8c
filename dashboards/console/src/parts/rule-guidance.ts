import { useQuery } from '@tanstack/react-query';
import type { RuleGuidance } from './shipped-rule.ts';

interface RuleOfApi {
  readonly id: string;
  readonly summary: string;
  readonly runbook: Omit<RuleGuidance, 'summary'>;
}

/**
 * Summaries and runbooks of rules in the language of the console. The API has them in English, and in the words of their authors for rules of
 * users. The translation is a file of its own, which only pages that show it load; until then the text is English.
 */
export function useRuleGuidance(): (rule: RuleOfApi) => RuleGuidance {
  const { data } = useQuery({
    queryKey: ['rule-guidance'],
    enabled: document.documentElement.lang === 'de',
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => (await import('./rule-guidance.de.ts')).RULE_GUIDANCE_GERMAN,
  });
  return ({ id, summary, runbook }) =>
    (data as Readonly<Record<string, RuleGuidance>> | undefined)?.[id] ?? { summary, ...runbook };
}
