import { Button, Grid, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { type ReactNode, useMemo, useState } from 'react';
import { addressOf } from '../../../api/client.ts';
import { useProfile } from '../../../app/use-profile.ts';
import { numberText } from '../../../language/numbers.ts';
import { AttackList } from '../../../pages/detection/attack-list.tsx';
import { ConflictNotice } from '../../../pages/detection/conflict-notice.tsx';
import { DecisionSection } from '../../../pages/detection/decision-section.tsx';
import { detectionQuery } from '../../../pages/detection/detection-query.ts';
import type { DetectionWithEvidence } from '../../../pages/detection/detection-types.ts';
import { EvidenceSection } from '../../../pages/detection/evidence-section.tsx';
import { ExceptionDialog } from '../../../pages/detection/exception-dialog.tsx';
import { HistorySection } from '../../../pages/detection/history-section.tsx';
import { HostList } from '../../../pages/detection/host-list.tsx';
import { PointerPlot } from '../../../pages/detection/pointer-plot.tsx';
import { pointerView } from '../../../pages/detection/pointer-view.ts';
import { ProposalsSection } from '../../../pages/detection/proposals-section.tsx';
import { RelatedSection } from '../../../pages/detection/related-section.tsx';
import { RunbookSection } from '../../../pages/detection/runbook-section.tsx';
import { SignsSection } from '../../../pages/detection/signs-section.tsx';
import { storyOf } from '../../../pages/detection/story.ts';
import { DETECTION_TEXT } from '../../../pages/detection/text.ts';
import { useDecision } from '../../../pages/detection/use-decision.ts';
import { ValuesSection } from '../../../pages/detection/values-section.tsx';
import { CloseDialog } from '../../../pages/detections/close-dialog.tsx';
import { STATUS_TONES, titleOf } from '../../../pages/detections/detection-columns.tsx';
import { DETECTIONS_TEXT } from '../../../pages/detections/text.ts';
import { DetectionActions } from '../../../pages/hand-off/detection-actions.tsx';
import { DetectionHandOff } from '../../../pages/hand-off/detection-hand-off.tsx';
import { DownloadMenu } from '../../../parts/download-menu.tsx';
import { Facts } from '../../../parts/facts.tsx';
import { FailureNotice } from '../../../parts/failure-notice.tsx';
import { HostLink } from '../../../parts/host-link.tsx';
import { Page } from '../../../parts/page.tsx';
import { PageLink } from '../../../parts/page-link.tsx';
import { PagePending } from '../../../parts/page-pending.tsx';
import { processFacts } from '../../../parts/process-facts.tsx';
import { RawText } from '../../../parts/raw-text.tsx';
import { Section } from '../../../parts/section.tsx';
import { SeverityBadge } from '../../../parts/severity-badge.tsx';
import { useShortcuts } from '../../../parts/shortcuts.ts';
import { StatusBadge } from '../../../parts/status-badge.tsx';
import { TimeText } from '../../../parts/time-text.tsx';

const { actions: ACTIONS, keys: KEYS, plot: PLOT, event: EVENT, facts: FACTS } = DETECTION_TEXT;

export const Route = createFileRoute('/_signed-in/detections/$id')({
  component: DetectionPage,
});

function DetectionPage(): ReactNode {
  const { id } = Route.useParams();
  const { data, error, refetch } = useQuery(detectionQuery(id));
  if (data !== undefined) return <Shown detection={data.detection} etag={data.etag} key={id} />;
  return error === null ? (
    <PagePending />
  ) : (
    <Page title={DETECTION_TEXT.title}>
      <FailureNotice error={error} onRetry={() => void refetch()} />
    </Page>
  );
}

/** Long: the markup of the page, and its shortcuts. */
function Shown({ detection, etag }: { readonly detection: DetectionWithEvidence; readonly etag: string | null }) {
  const { id, hostname, register, status, evidence } = detection;
  const { username } = useProfile();
  const { busy, conflict, change, insist, yieldTo } = useDecision(id, etag);
  const [dialog, setDialog] = useState<'close' | 'exception'>();
  const [raw, setRaw] = useState(false);
  const isRisk = detection.risk !== null;
  const view = useMemo(() => (isRisk ? undefined : pointerView(evidence, register)), [isRisk, evidence, register]);
  const title = titleOf(detection);
  const acknowledge = () => void change({ status: 'acknowledged' });
  const assignToMe = () => void change({ assignee: username });
  useShortcuts([
    { keys: 'a', does: KEYS.acknowledge, run: acknowledge },
    { keys: 'c', does: KEYS.close, run: () => setDialog('close') },
    { keys: 'm', does: KEYS.assignToMe, run: assignToMe },
    { keys: 'e', does: KEYS.createException, run: () => setDialog('exception') },
  ]);

  return (
    <Page
      title={title}
      actions={<DownloadMenu path={`/api/detections/${encodeURIComponent(id)}`} query={{}} name={id} many={false} />}
    >
      <Group gap="xs" mb="sm">
        <SeverityBadge severity={detection.severity} />
        <StatusBadge text={DETECTIONS_TEXT.statuses[status]} tone={STATUS_TONES[status]} />
        {detection.exception !== null && <StatusBadge text={DETECTION_TEXT.silenced} />}
        <Button size="compact-sm" disabled={busy || status === 'acknowledged'} onClick={acknowledge}>
          {ACTIONS.acknowledge}
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          disabled={busy || status === 'closed'}
          onClick={() => setDialog('close')}
        >
          {ACTIONS.close}
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          disabled={busy || detection.assignee === username}
          onClick={assignToMe}
        >
          {ACTIONS.assignToMe}
        </Button>
        <Button size="compact-sm" variant="default" onClick={() => setDialog('exception')}>
          {ACTIONS.createException}
        </Button>
        <DetectionActions id={id} />
      </Group>
      {conflict !== undefined && (
        <ConflictNotice id={id} conflict={conflict} busy={busy} onInsist={() => void insist()} onYield={yieldTo} />
      )}
      <ProposalsSection of={detection} etag={etag} />
      <Grid gap="sm">
        <Grid.Col span={{ base: 12, md: 7.7 }}>
          <Section title={DETECTION_TEXT.story.title}>
            {storyOf(detection).map((sentence, index) => (
              <Text key={sentence} size={index === 0 ? 'md' : 'sm'} mb={4}>
                {sentence}
              </Text>
            ))}
          </Section>
          {view !== undefined && (
            <Section title={register === null || register === 'ip' ? PLOT.instructionPointer : PLOT.register(register)}>
              <PointerPlot view={view} register={register ?? 'ip'} />
              {!detection.evidenceComplete && (
                <Text size="xs" c="dimmed">
                  {PLOT.newestOnly(evidence.length)}
                </Text>
              )}
            </Section>
          )}
          {isRisk && <SignsSection of={detection} />}
          {view === undefined && !isRisk && <ValuesSection of={detection} />}
          <EvidenceSection of={detection} />
          <RunbookSection rule={detection.rule.id} />
          <Section
            title={EVENT.title}
            actions={
              detection.event !== null && (
                <Button size="compact-sm" variant="default" aria-expanded={raw} onClick={() => setRaw(!raw)}>
                  {raw ? EVENT.hide : EVENT.show}
                </Button>
              )
            }
          >
            {detection.event === null ? (
              <Text size="sm">{EVENT.none}</Text>
            ) : (
              raw && (
                <RawText
                  address={addressOf('/api/detections/{id}', { path: { id }, query: { format: 'v1' } })}
                  label={EVENT.label}
                />
              )
            )}
          </Section>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4.3 }}>
          <DecisionSection decision={detection} busy={busy} onChange={(wanted) => void change(wanted)} />
          <Section title={FACTS.title}>
            <Facts facts={factsOf(detection)} />
          </Section>
          <DetectionHandOff id={id} />
          <HistorySection id={id} />
          {hostname !== null && <RelatedSection id={id} hostname={hostname} />}
        </Grid.Col>
      </Grid>
      <CloseDialog
        subject={dialog === 'close' ? title : undefined}
        onDecide={change}
        onClose={() => setDialog(undefined)}
      />
      {dialog === 'exception' && <ExceptionDialog detection={detection} onClose={() => setDialog(undefined)} />}
    </Page>
  );
}

function hostFactOf(detection: DetectionWithEvidence) {
  return detection.hostsTotal > 0
    ? ([DETECTION_TEXT.hosts.title, <HostList key="hosts" of={detection} />] as const)
    : ([FACTS.host, <HostLink key="host" hostname={detection.hostname} />] as const);
}

function factsOf(detection: DetectionWithEvidence) {
  return [
    [
      FACTS.rule,
      <span key="rule">
        <PageLink to="/rules/$id" params={{ id: detection.rule.id }} size="sm">
          {detection.rule.id}
        </PageLink>
        {FACTS.version(detection.rule.version)}
      </span>,
    ],
    hostFactOf(detection),
    [FACTS.program, detection.procname ?? '–'],
    [FACTS.file, detection.file ?? '–'],
    ...processFacts('/detections', detection),
    [FACTS.firstSeen, <TimeText key="first" at={detection.firstSeen} exact />],
    [FACTS.lastSeen, <TimeText key="last" at={detection.lastSeen} exact />],
    [FACTS.values, numberText(detection.valuesTotal)],
    [
      FACTS.evidence,
      detection.risk === null
        ? DETECTION_TEXT.evidence.count(detection.evidenceCount)
        : DETECTION_TEXT.evidence.detections(detection.evidenceCount),
    ],
    [FACTS.attack, <AttackList key="attack" attack={detection.attack} />],
    [FACTS.exception, detection.exception ?? FACTS.noException],
    [
      FACTS.id,
      <span key="id" className="tl-mono">
        {detection.id}
      </span>,
    ],
  ] as const;
}
