import { Alert, Button, Grid, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useProfile } from '../../../app/use-profile.ts';
import { ActivitySection } from '../../../pages/cases/activity-section.tsx';
import { CASE_TONES, caseValue } from '../../../pages/cases/case-columns.tsx';
import { CloseCase, EditCase } from '../../../pages/cases/case-dialogs.tsx';
import { DetectionsSection } from '../../../pages/cases/detections-section.tsx';
import { FactsSection } from '../../../pages/cases/facts-section.tsx';
import { FilesSection } from '../../../pages/cases/files-section.tsx';
import { caseQuery, type WholeCase } from '../../../pages/cases/queries.ts';
import { TasksSection } from '../../../pages/cases/tasks-section.tsx';
import { CASES_TEXT } from '../../../pages/cases/text.ts';
import { useCase } from '../../../pages/cases/use-case.ts';
import { RunButtons } from '../../../pages/hand-off/run-dialog.tsx';
import { FailureNotice } from '../../../parts/failure-notice.tsx';
import { Page } from '../../../parts/page.tsx';
import { PagePending } from '../../../parts/page-pending.tsx';
import { Section } from '../../../parts/section.tsx';
import { SeverityBadge } from '../../../parts/severity-badge.tsx';
import { useShortcuts } from '../../../parts/shortcuts.ts';
import { StatusBadge } from '../../../parts/status-badge.tsx';
import { PARTS_TEXT } from '../../../parts/text.ts';
import { visible } from '../../../parts/visible.ts';

export const Route = createFileRoute('/_signed-in/cases/$id')({
  component: CasePage,
});

const TEXT = CASES_TEXT.page;

function CasePage(): ReactNode {
  const { id } = Route.useParams();
  const { data, error, refetch } = useQuery(caseQuery(id));
  if (data !== undefined) return <Shown of={data} key={id} />;
  return error === null ? (
    <PagePending />
  ) : (
    <Page title={TEXT.title}>
      <FailureNotice error={error} onRetry={() => void refetch()} />
    </Page>
  );
}

/** Long: the markup of the page. */
function Shown({ of }: { readonly of: WholeCase }) {
  const { id, number, title, status, severity, description, assignee, detectionIds } = of;
  const { username } = useProfile();
  const { busy, overtaken, change } = useCase(of);
  const [dialog, setDialog] = useState<'edit' | 'close'>();
  const subject = { kind: 'cases', id, detections: detectionIds } as const;
  const assignToMe = () => void change({ assignee: username });
  useShortcuts([
    { keys: 'm', does: TEXT.assignToMe, run: assignToMe },
    { keys: 'e', does: CASES_TEXT.edit.title, run: () => setDialog('edit') },
    { keys: 'c', does: CASES_TEXT.closeDialog.title, run: () => setDialog('close') },
  ]);
  return (
    <Page
      title={CASES_TEXT.name(number, title)}
      actions={
        <Button
          size="compact-md"
          variant="default"
          renderRoot={(props) => <Link to="/case-reports/$id" params={{ id }} {...props} />}
        >
          {TEXT.report}
        </Button>
      }
    >
      <Group gap="xs" mb="sm">
        {caseValue(of, 'severity', PARTS_TEXT.severities[severity], <SeverityBadge severity={severity} />)}
        {caseValue(
          of,
          'status',
          CASES_TEXT.statuses[status],
          <StatusBadge text={CASES_TEXT.statuses[status]} tone={CASE_TONES[status]} />,
        )}
        {status === 'open' && (
          <Button size="compact-sm" disabled={busy} onClick={() => void change({ status: 'in_progress' })}>
            {TEXT.start}
          </Button>
        )}
        {status === 'closed' ? (
          <Button
            size="compact-sm"
            variant="default"
            disabled={busy}
            onClick={() => void change({ status: 'in_progress' })}
          >
            {TEXT.reopen}
          </Button>
        ) : (
          <Button size="compact-sm" variant="default" disabled={busy} onClick={() => setDialog('close')}>
            {TEXT.close}
          </Button>
        )}
        <Button size="compact-sm" variant="default" disabled={busy || assignee === username} onClick={assignToMe}>
          {TEXT.assignToMe}
        </Button>
        <Button size="compact-sm" variant="default" onClick={() => setDialog('edit')}>
          {TEXT.edit}
        </Button>
        <RunButtons subject={subject} />
      </Group>
      {overtaken && (
        <Alert color="red" variant="outline" role="alert" mb="sm">
          {TEXT.conflict}
        </Alert>
      )}
      <Grid gap="sm" rowGap={0}>
        <Grid.Col span={{ base: 12, md: 7.7 }}>
          {description !== null && (
            <Section title={CASES_TEXT.description}>
              <Text size="sm" className="tl-keep-lines">
                {visible(description)}
              </Text>
            </Section>
          )}
          <DetectionsSection of={of} />
          <ActivitySection id={id} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4.3 }}>
          <FactsSection of={of} busy={busy} onAssign={(name) => void change({ assignee: name })} />
          <TasksSection of={of} />
          <FilesSection of={of} />
        </Grid.Col>
      </Grid>
      {dialog === 'edit' && <EditCase of={of} busy={busy} onChange={change} onClose={() => setDialog(undefined)} />}
      {dialog === 'close' && <CloseCase busy={busy} onChange={change} onClose={() => setDialog(undefined)} />}
    </Page>
  );
}
