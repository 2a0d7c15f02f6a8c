import { useQuery } from '@tanstack/react-query';
import type { RuleGuidance } from './shipped-rule.ts';

interface RuleOfApi {
  readonly id: string;
  readonly summary: string;
  readonly runbook: Omit<RuleGuidance, 'summary'>;
}

/**
 * Returns a function from a rule to its summary and runbook in the language of the console. The API provides them in
 * English, and for user rules in the author's words. The translation is a separate file that only pages with these
 * texts load. Until it is loaded, the text is English.
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
