import { Button, Group, Loader, Modal, Table, Text } from '@mantine/core';
import { numberText } from '../../language/numbers.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { HeadRow } from '../../parts/list/head-row.tsx';
import { rejectionWithDetail } from '../../parts/rejection-text.ts';
import { StatusBadge } from '../../parts/status-badge.tsx';
import type { RedriveOutcome, RedriveTally } from './redrive-tally.ts';
import { DEAD_LETTERS_TEXT } from './text.ts';
import type { RedriveProgress } from './use-redrive.ts';

const TEXT = DEAD_LETTERS_TEXT.retry;
const TONES = {
  accepted: 'good',
  rejected: 'bad',
  already_redriven: 'neutral',
  not_found: 'warning',
  queue_full: 'warning',
} as const satisfies Record<RedriveOutcome, string>;

/**
 * Shows the progress of a redrive and the result of each dead letter. Results that need attention are first. Closed
 * while `progress` is undefined.
 */
export function RedriveProgressDialog({
  progress,
  onStop,
  onResume,
  onClose,
}: {
  readonly progress: RedriveProgress | undefined;
  readonly onStop: () => void;
  readonly onResume: () => void;
  readonly onClose: () => void;
}) {
  const { state, error, tally } = progress ?? {};
  return (
    <Modal
      opened={progress !== undefined}
      onClose={onClose}
      size="xl"
      title={state === 'running' ? TEXT.running : TEXT.finished}
      closeButtonProps={{ 'aria-label': TEXT.close }}
    >
      {tally !== undefined && <Counts tally={tally} state={state} />}
      {error !== undefined && <FailureNotice error={error} />}
      {tally !== undefined && tally.reported.length > 0 && state !== 'running' && <Results tally={tally} />}
      <Group justify="flex-end" mt="sm">
        {state === 'running' && (
          <Button variant="default" onClick={onStop}>
            {TEXT.stop}
          </Button>
        )}
        {state === 'waiting' && <Button onClick={onResume}>{TEXT.resume}</Button>}
        {state !== 'running' && (
          <Button variant="default" onClick={onClose}>
            {TEXT.close}
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
  const outcomes = (Object.keys(TONES) as RedriveOutcome[]).filter((outcome) => (tally.counts[outcome] ?? 0) > 0);
  return (
    <div role="status">
      {state === 'running' && (
        <Group gap="xs" mb="xs">
          <Loader size="xs" aria-label={TEXT.running} />
          <Text size="sm">{TEXT.soFar(tally.total)}</Text>
        </Group>
      )}
      {state === 'waiting' && (
        <Text size="sm" mb="xs">
          {TEXT.paused}
        </Text>
      )}
      {outcomes.map((outcome) => (
        <Text key={outcome} size="sm">
          <b>{numberText(tally.counts[outcome] ?? 0)}</b>
          {TEXT.outcome(TEXT.outcomes[outcome].text, TEXT.outcomes[outcome].advice)}
        </Text>
      ))}
      {state === 'done' && tally.total === 0 && <Text size="sm">{TEXT.nothing}</Text>}
    </div>
  );
}

function Results({ tally: { reported, total } }: { readonly tally: RedriveTally }) {
  return (
    <>
      <div
        className="tl-scroll"
        role="region"
        tabIndex={0}
        aria-label={TEXT.list}
        style={{ maxHeight: '50dvh', marginBlock: '0.75rem' }}
      >
        <Table stickyHeader fz="sm">
          <HeadRow columns={[TEXT.columns.id, TEXT.columns.outcome, TEXT.columns.reason]} />
          <Table.Tbody>
            {reported.map(({ id, outcome, code, path, message }) => (
              <Table.Tr key={id}>
                <Table.Td className="tl-mono">{id}</Table.Td>
                <Table.Td>
                  <StatusBadge text={TEXT.outcomes[outcome].text} tone={TONES[outcome]} />
                </Table.Td>
                <Table.Td>
                  {[code && rejectionWithDetail({ code, message: message ?? '' }), path]
                    .filter((part) => part !== undefined && part !== '')
                    .join(', ')}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
      {total > reported.length && (
        <Text size="sm" c="dimmed">
          {TEXT.some(reported.length, total)}
        </Text>
      )}
    </>
  );
}
