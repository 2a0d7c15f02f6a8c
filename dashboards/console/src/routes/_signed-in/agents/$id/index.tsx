import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { ConfigurationTab } from '../../../../pages/agents/configuration-tab.tsx';
import { ExamplesTab } from '../../../../pages/agents/examples-tab.tsx';
import { ExperimentsTab } from '../../../../pages/agents/experiments-tab.tsx';
import { INTEGRITY } from '../../../../pages/agents/integrity.ts';
import { type Agent, agentQuery } from '../../../../pages/agents/queries.ts';
import { RunsTab } from '../../../../pages/agents/runs-tab.tsx';
import {
  AGENT_TABS,
  type AgentSearch,
  type AgentTab,
  FEEDBACK_STATES,
  RATINGS,
  TEXTS,
} from '../../../../pages/agents/search.ts';
import { AGENTS_TEXT } from '../../../../pages/agents/text.ts';
import { ToolsTab } from '../../../../pages/agents/tools-tab.tsx';
import { UsageTab } from '../../../../pages/agents/usage-tab.tsx';
import { WorkspaceTab } from '../../../../pages/agents/workspace-tab.tsx';
import { durationText } from '../../../../parts/execution/duration.ts';
import { FailureNotice } from '../../../../parts/failure-notice.tsx';
import { Page } from '../../../../parts/page.tsx';
import { PagePending } from '../../../../parts/page-pending.tsx';
import { PageTabs } from '../../../../parts/page-tabs.tsx';
import { RunForm } from '../../../../parts/run-form/run-form.tsx';
import { startRun } from '../../../../parts/run-form/start-run.ts';
import { choiceParam, onlyRead, textParam } from '../../../../parts/search-params.ts';
import { SharingSection } from '../../../../parts/sharing/sharing-section.tsx';
import { useShortcuts } from '../../../../parts/shortcuts.ts';
import { StatusBadge } from '../../../../parts/status-badge.tsx';

export const Route = createFileRoute('/_signed-in/agents/$id/')({
  validateSearch: onlyRead((given: Record<string, unknown>): AgentSearch => {
    const entries: [string, string | undefined][] = [
      ['tab', choiceParam(given.tab, AGENT_TABS)],
      ['file', textParam(given.file)],
      ['experiment', textParam(given.experiment)],
      ...TEXTS.map((name): [string, string | undefined] => [name, textParam(given[name])]),
      ['feedbackRating', choiceParam(given.feedbackRating, RATINGS)],
      ['feedbackStatus', choiceParam(given.feedbackStatus, FEEDBACK_STATES)],
    ];
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as AgentSearch;
  }),
  component: AgentPage,
});

const TEXT = AGENTS_TEXT.agent;

function AgentPage() {
  const { id } = Route.useParams();
  const { tab = 'workspace' } = Route.useSearch();
  const navigate = useNavigate({ from: Route.fullPath });
  const { data: agent, error, refetch } = useQuery(agentQuery(id));
  const open = (to: AgentTab) => void navigate({ search: to === 'workspace' ? {} : { tab: to } });
  useShortcuts([
    { keys: 'r', does: TEXT.runKey, run: () => open('run') },
    { keys: 'e', does: TEXT.runsKey, run: () => open('runs') },
  ]);
  if (agent === undefined)
    return (
      <Page title={id}>{error ? <FailureNotice error={error} onRetry={() => void refetch()} /> : <PagePending />}</Page>
    );
  const { stats } = agent;
  return (
    <Page title={agent.name} actions={tab === 'run' ? null : <Button onClick={() => open('run')}>{TEXT.run}</Button>}>
      <Group gap="xs" mb="sm">
        <StatusBadge {...INTEGRITY[agent.sourceIntegrity]} />
        {agent.archived && <StatusBadge text={AGENTS_TEXT.archived} tone="warning" />}
        <Text size="sm" c="dimmed">
          {TEXT.facts(agent.latestVersion ?? 0, stats.totalExecutions)}
          {stats.avgDurationMs !== null && TEXT.average(durationText(stats.avgDurationMs))}
        </Text>
      </Group>
      {agent.description !== '' && (
        <Text mb="md" maw="60rem">
          {agent.description}
        </Text>
      )}
      <PageTabs
        label={TEXT.tabs}
        value={tab}
        onChange={open}
        tabs={[
          { id: 'workspace', label: TEXT.tabNames.workspace, content: () => <WorkspaceTab agent={agent} /> },
          { id: 'run', label: TEXT.tabNames.run, content: () => <RunAgent agent={agent} /> },
          { id: 'runs', label: TEXT.tabNames.runs, content: () => <RunsTab agent={agent} /> },
          { id: 'examples', label: TEXT.tabNames.examples, content: () => <ExamplesTab agent={agent} /> },
          {
            id: 'experiments',
            label: TEXT.tabNames.experiments,
            content: () => <ExperimentsTab agent={agent} />,
          },
          { id: 'usage', label: TEXT.tabNames.usage, content: () => <UsageTab agent={agent} /> },
          { id: 'tools', label: TEXT.tabNames.tools, content: () => <ToolsTab agent={agent} /> },
          {
            id: 'configuration',
            label: TEXT.tabNames.configuration,
            content: () => <ConfigurationTab agent={agent} />,
          },
          {
            id: 'sharing',
            label: TEXT.tabNames.sharing,
            content: () => <SharingSection kind="agent" id={agent.id} />,
          },
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
        await navigate({
          to: '/agents/$id/executions/$execution',
          params: { id: slug, execution: executionId },
          search: {},
        });
      }}
    />
  );
}
