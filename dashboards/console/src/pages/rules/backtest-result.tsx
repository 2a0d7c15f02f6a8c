import { Paper, Text, Title } from '@mantine/core';
import type { Answer } from '../../api/client.ts';
import { counted } from '../../parts/counted.ts';
import { PageLink } from '../../parts/page-link.tsx';
import { SeverityBadge } from '../../parts/severity-badge.tsx';
import { TimeText } from '../../parts/time-text.tsx';
import { visible } from '../../parts/visible.ts';

/** The API lists so many of each kind at most. */
const MAX_SHOWN = 20;

type Found = Answer<'post', '/api/rules/{id}/backtest'>;

export function BacktestResult({
  found,
  days,
  old,
}: {
  readonly found: Found;
  readonly days: string;
  /** The settings have been changed again since. */
  readonly old: boolean;
}) {
  const { current, proposed, events, complete, from } = found;
  return (
    <Paper withBorder p="sm" mt="sm" role="status" aria-label="What the back-test found">
      {old && (
        <Text size="sm" fw={600}>
          This is of settings you have changed since: try again.
        </Text>
      )}
      <Text>
        It would have fired <b>{times(proposed.detections)}</b> in {days === '1' ? 'a day' : `${days} days`}
        {silencedText(proposed.silenced)}; current settings: {times(current.detections)}
        {silencedText(current.silenced)}.
      </Text>
      <Text size="sm" c="dimmed">
        Judged: {counted(events, 'event')}, from <TimeText at={from} /> on.
        {!complete && ' There were more than a back-test takes on, so the newest of them were.'}
      </Text>
      <Tried title="New" detections={found.added} count={proposed.detections} />
      <Tried title="No longer detected" detections={found.removed} count={current.detections} stored />
      <ChangedEpisodes episodes={found.changed} />
    </Paper>
  );
}

/** The newest of them; `stored`: they can be looked at. */
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
        {detections.length === MAX_SHOWN && count > MAX_SHOWN && ` (the first ${MAX_SHOWN})`}
      </Title>
      <ul className="tl-plain-list">
        {detections.map(({ id, severity, message, lastSeen }) => (
          <li key={id}>
            <Text size="sm" component="div" mb={4}>
              <SeverityBadge severity={severity} /> {visible(message)} <TimeText at={lastSeen} />{' '}
              {stored && <OpenLink id={id} />}
            </Text>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Episodes that both settings find: what they are now, and what they would be. */
function ChangedEpisodes({ episodes }: { readonly episodes: Found['changed'] }) {
  if (episodes.length === 0) return null;
  return (
    <>
      <Title order={4} size="sm" mt="sm" mb={4}>
        Changed{episodes.length === MAX_SHOWN && ` (the first ${MAX_SHOWN})`}
      </Title>
      <ul className="tl-plain-list">
        {episodes.map(({ before, after }) => (
          <li key={before[0]?.id}>
            {before.map((detection) => (
              <ChangedSide key={detection.id} label="Now" detection={detection} stored />
            ))}
            {after.map((detection) => (
              <ChangedSide key={detection.id} label="Proposed" detection={detection} />
            ))}
          </li>
        ))}
      </ul>
    </>
  );
}

function ChangedSide({
  label,
  detection: { id, severity, hostname, procname, crashes, firstSeen, lastSeen },
  stored = false,
}: {
  readonly label: string;
  readonly detection: Found['added'][number];
  readonly stored?: boolean;
}) {
  const subject = `${procname ?? 'No program'} on ${hostname ?? 'an unnamed host'}`;
  return (
    <Text size="sm" component="div" mb={4}>
      {label}: <SeverityBadge severity={severity} /> {visible(subject)}, {counted(crashes, 'crash', 'crashes')},{' '}
      <TimeText at={firstSeen} /> – <TimeText at={lastSeen} /> {stored && <OpenLink id={id} />}
    </Text>
  );
}

function OpenLink({ id }: { readonly id: string }) {
  return (
    <PageLink to="/detections/$id" params={{ id }} underline="always" inherit>
      Open
    </PageLink>
  );
}

function times(count: number): string {
  return count === 1 ? 'once' : counted(count, 'time');
}

function silencedText(silenced: number): string {
  return silenced === 0 ? '' : ` (${silenced.toLocaleString()} of them silenced by an exception)`;
}
