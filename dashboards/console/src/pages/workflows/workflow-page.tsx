import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { Page } from '../../parts/page.tsx';
import { PagePending } from '../../parts/page-pending.tsx';
import { PageTabs } from '../../parts/page-tabs.tsx';
import { useShortcuts } from '../../parts/shortcuts.ts';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { TimeText } from '../../parts/time-text.tsx';
import { DefinitionTab } from './definition-tab.tsx';
import { ExecutionsTab } from './executions-tab.tsx';
import { OverviewTab } from './overview-tab.tsx';
import { workflowQuery } from './queries.ts';
import { type WorkflowTab, workflowRoute } from './routes.ts';
import { RunTab } from './run-tab.tsx';
import { TriggersTab } from './triggers-tab.tsx';
import { VersionsTab } from './versions-tab.tsx';

export function WorkflowPage() {
  const { id } = workflowRoute.useParams();
  const { tab = 'overview' } = workflowRoute.useSearch();
  const navigate = useNavigate({ from: workflowRoute.fullPath });
  const { data: workflow, error, refetch } = useQuery(workflowQuery(id));
  const open = (to: WorkflowTab) => void navigate({ search: to === 'overview' ? {} : { tab: to } });
  useShortcuts([
    { keys: 'r', does: 'Run', run: () => open('run') },
    { keys: 'e', does: 'Executions', run: () => open('executions') },
  ]);
  if (workflow === undefined)
    return (
      <Page title={id}>{error ? <FailureNotice error={error} onRetry={() => void refetch()} /> : <PagePending />}</Page>
    );
  return (
    <Page title={workflow.name} actions={tab === 'run' ? null : <Button onClick={() => open('run')}>Run …</Button>}>
      <Group gap="xs" mb="sm">
        <StatusBadge text={workflow.kind} />
        <StatusBadge text={`version ${workflow.version}`} />
        <Text size="sm" c="dimmed">
          released <TimeText at={workflow.updatedAt} ago />
        </Text>
      </Group>
      <PageTabs
        label="Parts of the workflow"
        value={tab}
        onChange={open}
        tabs={[
          { id: 'overview', label: 'Overview', content: () => <OverviewTab workflow={workflow} /> },
          { id: 'run', label: 'Run', content: () => <RunTab workflow={workflow} /> },
          { id: 'executions', label: 'Executions', content: () => <ExecutionsTab workflow={workflow} /> },
          { id: 'definition', label: 'Definition', content: () => <DefinitionTab workflow={workflow} /> },
          { id: 'versions', label: 'Versions', content: () => <VersionsTab workflow={workflow} /> },
          { id: 'triggers', label: 'Triggers', content: () => <TriggersTab workflow={workflow} /> },
        ]}
      />
    </Page>
  );
}
