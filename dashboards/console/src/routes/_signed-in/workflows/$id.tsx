import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { EXECUTION_STATUSES } from '#schemas/api/execution-status.ts';
import { DefinitionTab } from '../../../pages/workflows/definition-tab.tsx';
import { ExecutionsTab } from '../../../pages/workflows/executions-tab.tsx';
import { LimitsTab } from '../../../pages/workflows/limits-tab.tsx';
import { OverviewTab } from '../../../pages/workflows/overview-tab.tsx';
import { PausedAlert } from '../../../pages/workflows/pause-control.tsx';
import { workflowQuery } from '../../../pages/workflows/queries.ts';
import { RunTab } from '../../../pages/workflows/run-tab.tsx';
import { WORKFLOW_TABS, type WorkflowSearch, type WorkflowTab } from '../../../pages/workflows/search.ts';
import { WORKFLOWS_TEXT } from '../../../pages/workflows/text.ts';
import { TriggersTab } from '../../../pages/workflows/triggers-tab.tsx';
import { VersionsTab } from '../../../pages/workflows/versions-tab.tsx';
import { FailureNotice } from '../../../parts/failure-notice.tsx';
import { Page } from '../../../parts/page.tsx';
import { PagePending } from '../../../parts/page-pending.tsx';
import { PageTabs } from '../../../parts/page-tabs.tsx';
import { choiceParam, choicesParam, onlyRead, textParam } from '../../../parts/search-params.ts';
import { SharingSection } from '../../../parts/sharing/sharing-section.tsx';
import { useShortcuts } from '../../../parts/shortcuts.ts';
import { StatusBadge } from '../../../parts/status-badge.tsx';
import { TimeText } from '../../../parts/time/time-text.tsx';

export const Route = createFileRoute('/_signed-in/workflows/$id')({
  validateSearch: onlyRead((given: Record<string, unknown>): WorkflowSearch => {
    const tab = choiceParam(given.tab, WORKFLOW_TABS);
    const status = choicesParam(given.status, EXECUTION_STATUSES);
    const version = textParam(given.version);
    return {
      ...(tab === undefined ? {} : { tab }),
      ...(status === undefined ? {} : { status }),
      ...(version === undefined ? {} : { version }),
    };
  }),
  component: WorkflowPage,
});

const TEXT = WORKFLOWS_TEXT.workflow;

function WorkflowPage() {
  const { id } = Route.useParams();
  const { tab = 'overview' } = Route.useSearch();
  const navigate = useNavigate({ from: Route.fullPath });
  const { data: workflow, error, refetch } = useQuery(workflowQuery(id));
  const open = (to: WorkflowTab) => void navigate({ search: to === 'overview' ? {} : { tab: to } });
  useShortcuts([
    { keys: 'r', does: TEXT.runKey, run: () => open('run') },
    { keys: 'e', does: TEXT.executionsKey, run: () => open('executions') },
  ]);
  if (workflow === undefined)
    return (
      <Page title={id}>{error ? <FailureNotice error={error} onRetry={() => void refetch()} /> : <PagePending />}</Page>
    );
  return (
    <Page
      title={workflow.name}
      actions={tab === 'run' ? null : <Button onClick={() => open('run')}>{TEXT.run}</Button>}
    >
      <Group gap="xs" mb="sm">
        <StatusBadge text={WORKFLOWS_TEXT.kinds[workflow.kind] ?? workflow.kind} />
        <StatusBadge text={TEXT.version(workflow.version)} />
        <Text size="sm" c="dimmed">
          {TEXT.released}
          <TimeText at={workflow.updatedAt} ago />
        </Text>
      </Group>
      <PausedAlert workflow={workflow.name} />
      <PageTabs
        label={TEXT.tabs}
        value={tab}
        onChange={open}
        tabs={[
          { id: 'overview', label: TEXT.tabNames.overview, content: () => <OverviewTab workflow={workflow} /> },
          { id: 'run', label: TEXT.tabNames.run, content: () => <RunTab workflow={workflow} /> },
          { id: 'executions', label: TEXT.tabNames.executions, content: () => <ExecutionsTab workflow={workflow} /> },
          { id: 'definition', label: TEXT.tabNames.definition, content: () => <DefinitionTab workflow={workflow} /> },
          { id: 'versions', label: TEXT.tabNames.versions, content: () => <VersionsTab workflow={workflow} /> },
          { id: 'triggers', label: TEXT.tabNames.triggers, content: () => <TriggersTab workflow={workflow} /> },
          { id: 'limits', label: TEXT.tabNames.limits, content: () => <LimitsTab workflow={workflow} /> },
          {
            id: 'sharing',
            label: TEXT.tabNames.sharing,
            content: () => <SharingSection kind="workflow" id={workflow.id} />,
          },
        ]}
      />
    </Page>
  );
}
