import { Button, Group, Loader, Modal, Table, Text } from '@mantine/core';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { HeadRow } from '../../parts/head-row.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import type { RedriveOutcome, RedriveTally } from './redrive-tally.ts';
import type { RedriveProgress } from './use-redrive.ts';

const OUTCOMES = {
  accepted: { text: 'put through', tone: 'good', advice: '' },
  rejected: {
    text: 'refused again',
    tone: 'bad',
    advice: 'Correct what sends them; the record itself is never changed.',
  },
  already_redriven: { text: 'was through already', tone: 'neutral', advice: '' },
  not_found: { text: 'not there any more', tone: 'warning', advice: '' },
  queue_full: { text: 'not tried', tone: 'warning', advice: 'The service was busy. Try these again in a moment.' },
} as const satisfies Record<RedriveOutcome, object>;

/** How far a redrive is, and what became of each; those that need somebody first. Closed while `progress` is undefined. */
export function RedriveProgressDialog({
  progress,
  onStop,
  onGoOn,
  onClose,
}: {
  readonly progress: RedriveProgress | undefined;
  readonly onStop: () => void;
  readonly onGoOn: () => void;
  readonly onClose: () => void;
}) {
  const { state, error, tally } = progress ?? {};
  return (
    <Modal
      opened={progress !== undefined}
      onClose={onClose}
      size="xl"
      title={state === 'running' ? 'Sending them through again' : 'What became of them'}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {tally !== undefined && <Counts tally={tally} state={state} />}
      {error !== undefined && <FailureNotice error={error} />}
      {tally !== undefined && tally.told.length > 0 && state !== 'running' && <Told tally={tally} />}
      <Group justify="flex-end" mt="sm">
        {state === 'running' && (
          <Button variant="default" onClick={onStop}>
            Stop
          </Button>
        )}
        {state === 'waiting' && <Button onClick={onGoOn}>Go on</Button>}
        {state !== 'running' && (
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
        )}
      </Group>
    </Modal>
  );
}

function Counts({
  tally,
  state,
}: {
  readonly tally: RedriveTally;
  readonly state: RedriveProgress['state'] | undefined;
}) {
  const outcomes = (Object.keys(OUTCOMES) as RedriveOutcome[]).filter((outcome) => (tally.counts[outcome] ?? 0) > 0);
  return (
    <div role="status">
      {state === 'running' && (
        <Group gap="xs" mb="xs">
          <Loader size="xs" />
          <Text size="sm">{tally.total.toLocaleString()} so far</Text>
        </Group>
      )}
      {state === 'waiting' && (
        <Text size="sm" mb="xs">
          It stopped; there are more. “Go on” takes it further from where it is.
        </Text>
      )}
      {outcomes.map((outcome) => (
        <Text key={outcome} size="sm">
          <b>{tally.counts[outcome]?.toLocaleString()}</b> {OUTCOMES[outcome].text}. {OUTCOMES[outcome].advice}
        </Text>
      ))}
      {state === 'done' && tally.total === 0 && <Text size="sm">There was none to send.</Text>}
    </div>
  );
}

function Told({ tally: { told, total } }: { readonly tally: RedriveTally }) {
  return (
    <>
      <div
        className="tl-scroll"
        role="region"
        tabIndex={0}
        aria-label="Each of them"
        style={{ maxHeight: '50dvh', marginBlock: '0.75rem' }}
      >
        <Table stickyHeader fz="sm">
          <HeadRow columns={['Dead letter', 'Outcome', 'Why']} />
          <Table.Tbody>
            {told.map(({ id, outcome, code, path, message }) => (
              <Table.Tr key={id}>
                <Table.Td className="tl-mono">{id}</Table.Td>
                <Table.Td>
                  <StatusBadge text={OUTCOMES[outcome].text} tone={OUTCOMES[outcome].tone} />
                </Table.Td>
                <Table.Td>
                  {[code, path, message].filter((part) => part !== undefined && part !== '').join(', ')}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
      {total > told.length && (
        <Text size="sm" c="dimmed">
          The first {told.length.toLocaleString()} of {total.toLocaleString()}, those that were not put through before
          all others.
        </Text>
      )}
    </>
  );
}
