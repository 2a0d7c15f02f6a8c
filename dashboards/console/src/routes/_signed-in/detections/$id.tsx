import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { Fragment, type ReactNode, useState } from 'react';
import { addressOf } from '../../../api/client.ts';
import { useProfile } from '../../../app/use-profile.ts';
import { ActivityState } from '../../../pages/detection/activity-state.tsx';
import { AttackList } from '../../../pages/detection/attack-list.tsx';
import { ConflictNotice } from '../../../pages/detection/conflict-notice.tsx';
import { DecisionSection } from '../../../pages/detection/decision-section.tsx';
import { detectionQuery } from '../../../pages/detection/detection-query.ts';
import type { DetectionWithEvidence } from '../../../pages/detection/detection-types.ts';
import { EvidenceSection } from '../../../pages/detection/evidence-section.tsx';
import { ExceptionDialog } from '../../../pages/detection/exception-dialog.tsx';
import { HistorySection } from '../../../pages/detection/history-section.tsx';
import { HostList } from '../../../pages/detection/host-list.tsx';
import { KeyFigures } from '../../../pages/detection/key-figures.tsx';
import { ListWalkBar } from '../../../pages/detection/list-walk-bar.tsx';
import { PictureSection } from '../../../pages/detection/picture/picture-section.tsx';
import { pictureOf } from '../../../pages/detection/picture/pictures.ts';
import { ProposalsSection } from '../../../pages/detection/proposals-section.tsx';
import { RelatedSection } from '../../../pages/detection/related-section.tsx';
import { RunbookSection } from '../../../pages/detection/runbook-section.tsx';
import { SignsSection } from '../../../pages/detection/signs-section.tsx';
import { storyOf } from '../../../pages/detection/story.ts';
import { DETECTION_TEXT } from '../../../pages/detection/text.ts';
import { useDecision } from '../../../pages/detection/use-decision.ts';
import { useDetectionKeys } from '../../../pages/detection/use-detection-keys.ts';
import { ValuesSection } from '../../../pages/detection/values-section.tsx';
import { CloseDialog } from '../../../pages/detections/close-dialog.tsx';
import {
  detectionTime,
  detectionValue,
  STATUS_TONES,
  subjectOf,
  titleOf,
} from '../../../pages/detections/detection-columns.tsx';
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
import { ruleName } from '../../../parts/rules/rule-name.ts';
import { Section } from '../../../parts/section.tsx';
import { SeverityBadge } from '../../../parts/severity-badge.tsx';
import { StatusBadge } from '../../../parts/status-badge.tsx';
import { PARTS_TEXT } from '../../../parts/text.ts';
import { TimeText } from '../../../parts/time/time-text.tsx';
import { ValueActions } from '../../../parts/values/value-actions.tsx';
import { visible } from '../../../parts/visible.ts';

const { event: EVENT, facts: FACTS } = DETECTION_TEXT;

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

/** Long: the markup of the page and its shortcuts. */
function Shown({ detection, etag }: { readonly detection: DetectionWithEvidence; readonly etag: string | null }) {
  const { id, hostname, status } = detection;
  const { username } = useProfile();
  const { busy, conflict, change, insist, yieldTo } = useDecision(id, etag);
  const [dialog, setDialog] = useState<'close' | 'exception'>();
  const picture = pictureOf(detection.rule.id);
  const title = titleOf(detection);
  const walk = useDetectionKeys(id, {
    acknowledge: () => void change({ status: 'acknowledged' }),
    close: () => setDialog('close'),
    assignToMe: () => void change({ assignee: username }),
    createException: () => setDialog('exception'),
  });

  return (
    <Page
      title={title}
      actions={
        <>
          <ListWalkBar walk={walk} />
          <DownloadMenu path={`/api/detections/${encodeURIComponent(id)}`} query={{}} name={id} many={false} />
        </>
      }
    >
      <Group gap="xs">
        {detectionValue(
          detection,
          'severity',
          PARTS_TEXT.severities[detection.severity],
          <SeverityBadge severity={detection.severity} />,
          false,
        )}
        {detectionValue(
          detection,
          'status',
          DETECTIONS_TEXT.statuses[status],
          <StatusBadge text={DETECTIONS_TEXT.statuses[status]} tone={STATUS_TONES[status]} />,
          false,
        )}
        {detection.exception !== null && <StatusBadge text={DETECTION_TEXT.silenced} />}
        <ActivityState lastSeen={detection.lastSeen} />
        <DetectionActions of={detection} />
      </Group>
      <KeyFigures of={detection} />
      {conflict !== undefined && (
        <ConflictNotice id={id} conflict={conflict} busy={busy} onInsist={() => void insist()} onYield={yieldTo} />
      )}
      <ProposalsSection of={detection} etag={etag} />
      <div className="tl-detection">
        <div className="tl-detection-story">
          <Section title={DETECTION_TEXT.story.title}>
            {storyOf(detection).map((sentence, index) => (
              <Text key={sentence} size={index === 0 ? 'md' : 'sm'} mb={4}>
                {sentence}
              </Text>
            ))}
          </Section>
        </div>
        <div className="tl-detection-decision">
          <DecisionSection
            decision={detection}
            busy={busy}
            username={username}
            onChange={(wanted) => void change(wanted)}
            onClose={() => setDialog('close')}
            onException={() => setDialog('exception')}
          />
        </div>
        <div className="tl-detection-main">
          {picture === 'signs' ? <SignsSection of={detection} /> : <PictureSection of={detection} kind={picture} />}
          {picture !== 'signs' && picture.showsValues !== true && <ValuesSection of={detection} />}
          <EvidenceSection of={detection} />
          <RunbookSection rule={detection.rule.id} />
          <EventSection of={detection} />
        </div>
        <div className="tl-detection-rest">
          <Section title={FACTS.title}>
            <Facts facts={factsOf(detection)} narrow />
          </Section>
          <DetectionHandOff id={id} />
          <HistorySection id={id} />
          {hostname !== null && <RelatedSection id={id} hostname={hostname} />}
        </div>
      </div>
      <CloseDialog
        subject={dialog === 'close' ? title : undefined}
        onDecide={change}
        onClose={() => setDialog(undefined)}
      />
      {dialog === 'exception' && <ExceptionDialog detection={detection} onClose={() => setDialog(undefined)} />}
    </Page>
  );
}

/** The published V1 event of the detection. */
function EventSection({ of: { id, event } }: { readonly of: DetectionWithEvidence }) {
  const [raw, setRaw] = useState(false);
  return (
    <Section
      title={EVENT.title}
      actions={
        event !== null && (
          <Button size="compact-sm" variant="default" aria-expanded={raw} onClick={() => setRaw(!raw)}>
            {raw ? EVENT.hide : EVENT.show}
          </Button>
        )
      }
    >
      {event === null ? (
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
  );
}

function hostFactOf(detection: DetectionWithEvidence) {
  return detection.hostsTotal > 0
    ? ([DETECTION_TEXT.hosts.title, <HostList key="hosts" of={detection} />] as const)
    : ([
        FACTS.host,
        <ValueActions
          key="host"
          name="hostname"
          value={detection.hostname}
          list="/detections"
          subject={subjectOf(detection)}
        >
          <HostLink hostname={detection.hostname} />
        </ValueActions>,
      ] as const);
}

/** Returns no fact if the detection has no such value. */
function valueFact(detection: DetectionWithEvidence, label: string, name: 'procname' | 'file') {
  const value = detection[name];
  if (value === null) return [];
  const menu = (
    <ValueActions key={name} name={name} value={value} list="/detections" subject={subjectOf(detection)}>
      {visible(value)}
    </ValueActions>
  );
  return [[label, menu] as const];
}

function termFact(
  detection: DetectionWithEvidence,
  name: 'exception' | 'id',
  value: string | null,
  content: ReactNode,
) {
  return (
    <ValueActions key={name} name={name} by="term" value={value} list="/detections" subject={subjectOf(detection)}>
      {content}
    </ValueActions>
  );
}

function momentFact(detection: DetectionWithEvidence, name: 'first' | 'last', at: string) {
  return <Fragment key={name}>{detectionTime(detection, name, <TimeText at={at} exact />, false)}</Fragment>;
}

function factsOf(detection: DetectionWithEvidence) {
  return [
    [
      FACTS.rule,
      <ValueActions
        key="rule"
        name="rule"
        value={detection.rule.id}
        shown={ruleName(detection.rule)}
        list="/detections"
        subject={subjectOf(detection)}
      >
        <PageLink to="/rules/$id" params={{ id: detection.rule.id }} size="sm">
          {visible(ruleName(detection.rule))}
        </PageLink>
        {FACTS.version(detection.rule.version)}
      </ValueActions>,
    ],
    hostFactOf(detection),
    ...valueFact(detection, FACTS.program, 'procname'),
    ...valueFact(detection, FACTS.file, 'file'),
    ...processFacts('/detections', detection, subjectOf(detection)),
    [FACTS.firstSeen, momentFact(detection, 'first', detection.firstSeen)],
    [FACTS.lastSeen, momentFact(detection, 'last', detection.lastSeen)],
    [
      FACTS.evidence,
      <ValueActions
        key="evidence"
        name="evidence"
        by="number"
        value={detection.evidenceCount}
        list="/detections"
        subject={subjectOf(detection)}
      >
        {detection.risk === null
          ? DETECTION_TEXT.evidence.count(detection.evidenceCount)
          : DETECTION_TEXT.evidence.detections(detection.evidenceCount)}
      </ValueActions>,
    ],
    [FACTS.attack, <AttackList key="attack" attack={detection.attack} subject={subjectOf(detection)} />],
    [FACTS.exception, termFact(detection, 'exception', detection.exception, detection.exception ?? FACTS.noException)],
    [FACTS.id, termFact(detection, 'id', detection.id, <span className="tl-mono">{detection.id}</span>)],
  ] as const;
}
