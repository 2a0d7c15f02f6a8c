import { Loader, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { call } from '../../../api/client.ts';
import { rulesQuery } from '../../../api/rules.ts';
import { may } from '../../../api/session.ts';
import { useProfile } from '../../../app/use-profile.ts';
import type { Rule } from '../../../pages/rules/rule.ts';
import { RuleSettings } from '../../../pages/rules/rule-settings.tsx';
import { RuleStateBadge } from '../../../pages/rules/rule-state-badge.tsx';
import { ThresholdTable } from '../../../pages/rules/threshold-table.tsx';
import { Facts } from '../../../parts/facts.tsx';
import { FailureNotice } from '../../../parts/failure-notice.tsx';
import { NotFound } from '../../../parts/not-found.tsx';
import { Page } from '../../../parts/page.tsx';
import { PageLink } from '../../../parts/page-link.tsx';
import { RunbookSteps } from '../../../parts/runbook-steps.tsx';
import { ruleIdParam } from '../../../parts/search-params.ts';
import { Section } from '../../../parts/section.tsx';
import { SeverityBadge } from '../../../parts/severity-badge.tsx';

export const Route = createFileRoute('/_signed-in/rules/$id')({
  component: RulePage,
});

function RulePage(): ReactNode {
  const id = ruleIdParam(Route.useParams().id);
  const { data } = useQuery(rulesQuery);
  const unknown = data !== undefined && !data.data.some((rule) => rule.id === id);
  return id === undefined || unknown ? <NotFound /> : <RuleOf id={id} />;
}

function RuleOf({ id }: { readonly id: Rule['id'] }) {
  const profile = useProfile();
  const admin = may(profile, 'admin');
  const rule = useQuery({
    queryKey: ['rules', id],
    queryFn: ({ signal }) => call('get', '/api/rules/{id}', { signal, path: { id } }),
  });
  return (
    <Page
      title={rule.data?.name ?? 'Rule'}
      actions={
        admin && (
          <PageLink to="/admin/audit-log" search={{ target: `rule:${id}` }} underline="always" size="sm">
            Who changed it
          </PageLink>
        )
      }
    >
      {rule.isPending && <Loader size="sm" aria-label="Loading the rule" />}
      {rule.isError && <FailureNotice error={rule.error} onRetry={() => void rule.refetch()} />}
      {rule.isSuccess && (
        <Stack gap="lg">
          <div>
            <Text mb="sm">{rule.data.summary}</Text>
            <Facts
              facts={[
                ['State', <RuleStateBadge key="state" enabled={rule.data.enabled} />],
                ['Severity', <SeverityBadge key="severity" severity={rule.data.severity} />],
                ['ATT&CK', <Techniques key="attack" of={rule.data} />],
                [
                  'Its detections',
                  <PageLink key="detections" to="/detections" search={{ rule: id }} underline="always" inherit>
                    in the list of detections
                  </PageLink>,
                ],
              ]}
            />
          </div>
          {admin ? <RuleSettings rule={rule.data} /> : <ThresholdTable rule={rule.data} />}
          <Runbook of={rule.data} />
        </Stack>
      )}
    </Page>
  );
}

function Techniques({ of: { attack } }: { readonly of: Rule }) {
  return attack.map(({ tactic, technique, name }) => (
    <div key={technique}>
      {technique} {name} (tactic {tactic})
    </div>
  ));
}

function Runbook({ of: { runbook } }: { readonly of: Rule }) {
  return (
    <Section title="Runbook">
      <RunbookSteps title="What to do about a detection" ordered steps={runbook.nextChecks} />
      <RunbookSteps title="What looks the same and is no attack" steps={runbook.falsePositives} />
    </Section>
  );
}
