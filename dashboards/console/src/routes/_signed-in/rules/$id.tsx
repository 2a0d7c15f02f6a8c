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
import { RuleStatistics } from '../../../pages/rules/rule-statistics.tsx';
import { RULES_TEXT } from '../../../pages/rules/text.ts';
import { ThresholdTable } from '../../../pages/rules/threshold-table.tsx';
import { Facts } from '../../../parts/facts.tsx';
import { FailureNotice } from '../../../parts/failure-notice.tsx';
import { NotFound } from '../../../parts/not-found.tsx';
import { Page } from '../../../parts/page.tsx';
import { PageLink } from '../../../parts/page-link.tsx';
import { useRuleGuidance } from '../../../parts/rules/rule-guidance.ts';
import { ruleName } from '../../../parts/rules/rule-name.ts';
import { RunbookSteps } from '../../../parts/rules/runbook-steps.tsx';
import type { RuleGuidance } from '../../../parts/rules/shipped-rule.ts';
import { ruleIdParam } from '../../../parts/search-params.ts';
import { Section } from '../../../parts/section.tsx';
import { SeverityText } from '../../../parts/severity-text.tsx';

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
  const guidanceOf = useRuleGuidance();
  return (
    <Page
      title={rule.data === undefined ? RULES_TEXT.rule : ruleName(rule.data)}
      actions={
        admin && (
          <PageLink to="/admin/audit-log" search={{ target: `rule:${id}` }} underline="always" size="sm">
            {RULES_TEXT.history}
          </PageLink>
        )
      }
    >
      {rule.isPending && <Loader size="sm" aria-label={RULES_TEXT.loadingRule} />}
      {rule.isError && <FailureNotice error={rule.error} onRetry={() => void rule.refetch()} />}
      {rule.isSuccess && (
        <Stack gap="lg">
          <div>
            <Text mb="sm">{guidanceOf(rule.data).summary}</Text>
            <Facts
              panel
              facts={[
                [RULES_TEXT.facts.state, <RuleStateBadge key="state" enabled={rule.data.enabled} />],
                [RULES_TEXT.facts.severity, <SeverityText key="severity" severity={rule.data.severity} />],
                [RULES_TEXT.facts.version, String(rule.data.version)],
                ...(rule.data.author === null ? [] : [[RULES_TEXT.facts.author, rule.data.author] as const]),
                [RULES_TEXT.facts.attack, <Techniques key="attack" of={rule.data} />],
                [
                  RULES_TEXT.facts.detections,
                  <PageLink key="detections" to="/detections" search={{ rule: id }} underline="always" inherit>
                    {RULES_TEXT.showDetections}
                  </PageLink>,
                ],
              ]}
            />
          </div>
          {rule.data.origin === 'user' ? (
            <Text size="sm">{RULES_TEXT.userRuleHint}</Text>
          ) : admin ? (
            <RuleSettings rule={rule.data} />
          ) : (
            <ThresholdTable rule={rule.data} />
          )}
          <Runbook of={guidanceOf(rule.data)} />
          <RuleStatistics of={rule.data} />
        </Stack>
      )}
    </Page>
  );
}

function Techniques({ of: { attack } }: { readonly of: Rule }) {
  return attack.map(({ tactic, technique, name }) => (
    <div key={technique}>{RULES_TEXT.technique(technique, name, tactic)}</div>
  ));
}

function Runbook({ of: { nextChecks, falsePositives } }: { readonly of: RuleGuidance }) {
  if (nextChecks.length + falsePositives.length === 0) return null;
  return (
    <Section title={RULES_TEXT.runbook.title}>
      <RunbookSteps title={RULES_TEXT.runbook.nextChecks} ordered steps={nextChecks} />
      <RunbookSteps title={RULES_TEXT.runbook.falsePositives} steps={falsePositives} />
    </Section>
  );
}
