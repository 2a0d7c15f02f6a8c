import { Group, Loader, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { rulesQuery } from '../../../api/rules.ts';
import { APP_TEXT } from '../../../app/text.ts';
import { changedThresholds, type Rule } from '../../../pages/rules/rule.ts';
import { RuleStateBadge } from '../../../pages/rules/rule-state-badge.tsx';
import { RULES_TEXT } from '../../../pages/rules/text.ts';
import { FailureNotice } from '../../../parts/failure-notice.tsx';
import { Page } from '../../../parts/page.tsx';
import { PageLink } from '../../../parts/page-link.tsx';
import { useRuleGuidance } from '../../../parts/rules/rule-guidance.ts';
import { ruleName } from '../../../parts/rules/rule-name.ts';
import { SeverityText } from '../../../parts/severity-text.tsx';
import { StatusBadge } from '../../../parts/status-badge.tsx';

export const Route = createFileRoute('/_signed-in/rules/')({
  staticData: {
    section: { group: 'Detection', order: 5, label: APP_TEXT.sections.rules, role: 'analyst', keys: 'g r' },
  },
  component: RulesPage,
});

function RulesPage() {
  const rules = useQuery({ ...rulesQuery, staleTime: 0 });
  return (
    <Page title={RULES_TEXT.title}>
      {rules.isPending && <Loader size="sm" aria-label={RULES_TEXT.loading} />}
      {rules.isError && <FailureNotice error={rules.error} onRetry={() => void rules.refetch()} />}
      {rules.isSuccess && (
        <Stack gap="sm" component="ul" className="tl-plain-list">
          {rules.data.data.map((rule) => (
            <li key={rule.id}>
              <RuleCard rule={rule} />
            </li>
          ))}
        </Stack>
      )}
    </Page>
  );
}

function RuleCard({ rule }: { readonly rule: Rule }) {
  const { summary } = useRuleGuidance()(rule);
  const changed = changedThresholds(rule);
  return (
    <Paper withBorder p="sm" component="article">
      <Group justify="space-between" gap="xs" mb={4}>
        <Title order={2} size="h5">
          <PageLink to="/rules/$id" params={{ id: rule.id }} underline="always" inherit>
            {ruleName(rule)}
          </PageLink>
        </Title>
        <Group gap="xs">
          {rule.origin === 'user' && <StatusBadge text={RULES_TEXT.ofUser} tone="neutral" />}
          <SeverityText severity={rule.severity} />
          <RuleStateBadge enabled={rule.enabled} />
        </Group>
      </Group>
      <Text size="sm" mb={4}>
        {summary}
      </Text>
      <Text size="sm" c="dimmed">
        {RULES_TEXT.attack(rule.attack)}
        {changed.length > 0 && RULES_TEXT.changed(changed.map(({ name }) => name))}
      </Text>
    </Paper>
  );
}
