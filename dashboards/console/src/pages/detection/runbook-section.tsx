import { Loader, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { useRuleGuidance } from '../../parts/rules/rule-guidance.ts';
import { RunbookSteps } from '../../parts/rules/runbook-steps.tsx';
import { Section } from '../../parts/section.tsx';
import { DETECTION_TEXT } from './text.ts';

const TEXT = DETECTION_TEXT.runbook;

/** The runbook of a rule: next steps, and known false positives. */
export function RunbookSection({ rule }: { readonly rule: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['rule', rule],
    queryFn: ({ signal }) => call('get', '/api/rules/{id}', { path: { id: rule }, signal }),
    staleTime: 300_000,
  });
  const guidanceOf = useRuleGuidance();
  const guidance = data && guidanceOf(data);
  return (
    <Section title={TEXT.title}>
      {error !== null && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {guidance === undefined && error === null && <Loader size="sm" aria-label={TEXT.loading} />}
      {guidance !== undefined && (
        <>
          <Text size="sm" mb="xs">
            {guidance.summary}
          </Text>
          <RunbookSteps title={TEXT.nextChecks} ordered steps={guidance.nextChecks} />
          <RunbookSteps title={TEXT.falsePositives} steps={guidance.falsePositives} />
        </>
      )}
    </Section>
  );
}
