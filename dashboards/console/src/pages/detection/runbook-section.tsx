import { Loader, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { RunbookSteps } from '../../parts/runbook-steps.tsx';
import { Section } from '../../parts/section.tsx';

/** What to do about a detection of this rule, and what looks the same and is none. */
export function RunbookSection({ rule }: { readonly rule: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['rule', rule],
    queryFn: ({ signal }) => call('get', '/api/rules/{id}', { path: { id: rule }, signal }),
    staleTime: 300_000,
  });
  return (
    <Section title="Runbook">
      {error !== null && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Loader size="sm" aria-label="Loading the runbook" />}
      {data !== undefined && (
        <>
          <Text size="sm" mb="xs">
            {data.summary}
          </Text>
          <RunbookSteps title="What to do next" ordered steps={data.runbook.nextChecks} />
          <RunbookSteps title="What looks like it and is no attack" steps={data.runbook.falsePositives} />
        </>
      )}
    </Section>
  );
}
