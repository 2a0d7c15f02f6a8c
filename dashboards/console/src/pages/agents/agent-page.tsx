import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { durationText } from '../../parts/execution/duration.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { Page } from '../../parts/page.tsx';
import { PagePending } from '../../parts/page-pending.tsx';
import { PageTabs } from '../../parts/page-tabs.tsx';
import { RunForm } from '../../parts/run-form/run-form.tsx';
import { startRun } from '../../parts/run-form/start-run.ts';
import { useShortcuts } from '../../parts/shortcuts.ts';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { ConfigurationTab } from './configuration-tab.tsx';
import { ExamplesTab } from './examples-tab.tsx';
import { INTEGRITY } from './integrity.ts';
import { type Agent, agentQuery } from './queries.ts';
import { type AgentTab, agentRoute } from './routes.ts';
import { RunsTab } from './runs-tab.tsx';
import { WorkspaceTab } from './workspace-tab.tsx';

export function AgentPage() {
  const { id } = agentRoute.useParams();
  const { tab = 'workspace' } = agentRoute.useSearch();
  const navigate = useNavigate({ from: agentRoute.fullPath });
  const { data: agent, error, refetch } = useQuery(agentQuery(id));
  const open = (to: AgentTab) => void navigate({ search: to === 'workspace' ? {} : { tab: to } });
  useShortcuts([
    { keys: 'r', does: 'Run', run: () => open('run') },
    { keys: 'e', does: 'Runs', run: () => open('runs') },
  ]);
  if (agent === undefined)
    return (
      <Page title={id}>{error ? <FailureNotice error={error} onRetry={() => void refetch()} /> : <PagePending />}</Page>
    );
  const { stats } = agent;
  return (
    <Page title={agent.name} actions={tab === 'run' ? null : <Button onClick={() => open('run')}>Run …</Button>}>
      <Group gap="xs" mb="sm">
        <StatusBadge {...INTEGRITY[agent.sourceIntegrity]} />
        {agent.archived && <StatusBadge text="archived" tone="warning" />}
        <Text size="sm" c="dimmed">
          workspace version {agent.latestVersion ?? 0}, {stats.totalExecutions}{' '}
          {stats.totalExecutions === 1 ? 'run' : 'runs'}
          {stats.avgDurationMs !== null && `, ${durationText(stats.avgDurationMs)} on average`}
        </Text>
      </Group>
      {agent.description !== '' && (
        <Text mb="md" maw="60rem">
          {agent.description}
        </Text>
      )}
      <PageTabs
        label="Parts of the agent"
        value={tab}
        onChange={open}
        tabs={[
          { id: 'workspace', label: 'Workspace', content: () => <WorkspaceTab agent={agent} /> },
          { id: 'run', label: 'Run', content: () => <RunAgent agent={agent} /> },
          { id: 'runs', label: 'Runs', content: () => <RunsTab agent={agent} /> },
          { id: 'examples', label: 'Examples', content: () => <ExamplesTab agent={agent} /> },
          { id: 'configuration', label: 'Configuration', content: () => <ConfigurationTab agent={agent} /> },
        ]}
      />
    </Page>
  );
}

function RunAgent({ agent: { slug, config } }: { readonly agent: Agent }) {
  const navigate = useNavigate();
  return (
    <RunForm
      schema={config.inputSchema}
      onRun={async (given) => {
        const executionId = await startRun('agents', slug, given);
        await navigate({ to: '/agents/$id/executions/$executionId', params: { id: slug, executionId }, search: {} });
      }}
    />
  );
}
