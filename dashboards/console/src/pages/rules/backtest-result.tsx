import { Paper, Text, Title } from '@mantine/core';
import type { Answer } from '../../api/client.ts';

import { PageLink } from '../../parts/page-link.tsx';
import { SeverityText } from '../../parts/severity-text.tsx';
import { TimeText } from '../../parts/time/time-text.tsx';
import { visible } from '../../parts/visible.ts';
import { RULES_TEXT } from './text.ts';
import './backtest.css';

const TEXT = RULES_TEXT.backtest;

/** Maximum number of items that the API lists per kind. */
const MAX_SHOWN = 20;

type Found = Answer<'post', '/api/rules/{id}/backtest'>;

export function BacktestResult({
  found,
  days,
  old,
}: {
  readonly found: Found;
  readonly days: string;
  /** True if the settings have changed since the back-test. */
  readonly old: boolean;
}) {
  const { current, proposed, events, complete, from } = found;
  return (
    <Paper withBorder p="sm" mt="sm" role="status" aria-label={TEXT.result}>
      {old && (
        <Text size="sm" fw={600}>
          {TEXT.outdated}
        </Text>
      )}
      <Text>
        {TEXT.detections(days)}
        <b>{TEXT.count(proposed.detections, proposed.silenced)}</b>
        {TEXT.current(current.detections, current.silenced)}
      </Text>
      <Text size="sm" c="dimmed">
        {TEXT.events(events)}
        <TimeText at={from} />
        {complete ? TEXT.complete : TEXT.incomplete}
      </Text>
      <Tried title={TEXT.added} detections={found.added} count={proposed.detections} />
      <Tried title={TEXT.removed} detections={found.removed} count={current.detections} stored />
      <ChangedEpisodes episodes={found.changed} />
    </Paper>
  );
}

/** The latest detections of one kind. `stored`: they have a page. */
function Tried({
  title,
  detections,
  count,
  stored = false,
}: {
  readonly title: string;
  readonly detections: Found['added'];
  readonly count: number;
  readonly stored?: boolean;
}) {
  if (detections.length === 0) return null;
  return (
    <>
      <Title order={4} size="sm" mt="sm" mb={4}>
        {title}
        {detections.length === MAX_SHOWN && count > MAX_SHOWN && TEXT.first(MAX_SHOWN)}
      </Title>
      <ul className="tl-plain-list">
        {detections.map(({ id, severity, procname, hostname, crashes, message, lastSeen }) => (
          <li key={id}>
            <Text size="sm" component="div" mb={4}>
              <SeverityText severity={severity} />{' '}
              <b title={visible(message)}>{visible(TEXT.subject(procname, hostname))}</b>
              {TEXT.crashes(crashes)}
              <TimeText at={lastSeen} /> {stored && <OpenLink id={id} />}
            </Text>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Episodes that both settings detect, with the current and the proposed result. */
function ChangedEpisodes({ episodes }: { readonly episodes: Found['changed'] }) {
  if (episodes.length === 0) return null;
  return (
    <>
      <Title order={4} size="sm" mt="sm" mb={4}>
        {TEXT.changed}
        {episodes.length === MAX_SHOWN && TEXT.first(MAX_SHOWN)}
      </Title>
      <ul className="tl-plain-list">
        {episodes.map(({ before, after }) => (
          <li key={before[0]?.id}>
            <ChangedEpisode before={before} after={after} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** One episode: its program and host, then the result under each setting. */
function ChangedEpisode({ before, after }: Found['changed'][number]) {
  const [first] = [...before, ...after];
  if (first === undefined) return null;
  return (
    <>
      <Text size="sm" fw={600} mt={6}>
        {visible(TEXT.subject(first.procname, first.hostname))}
      </Text>
      <div className="tl-backtest-pair">
        <EpisodeSide label={TEXT.before} detections={before} stored />
        <span aria-hidden>→</span>
        <EpisodeSide label={TEXT.after} detections={after} />
      </div>
    </>
  );
}

/** Result of one setting for an episode. A setting can split an episode into several. */
function EpisodeSide({
  label,
  detections,
  stored = false,
}: {
  readonly label: string;
  readonly detections: Found['added'];
  readonly stored?: boolean;
}) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      {detections.map(({ id, severity, crashes, firstSeen, lastSeen }) => (
        <Text key={id} size="sm" component="div" mb={4}>
          <SeverityText severity={severity} />
          {TEXT.crashes(crashes)}
          <TimeText at={firstSeen} /> – <TimeText at={lastSeen} /> {stored && <OpenLink id={id} />}
        </Text>
      ))}
    </div>
  );
}

function OpenLink({ id }: { readonly id: string }) {
  return (
    <PageLink to="/detections/$id" params={{ id }} underline="always" inherit>
      {TEXT.open}
    </PageLink>
  );
}
