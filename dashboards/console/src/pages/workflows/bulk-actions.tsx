import { Button, Group, Loader, Modal, NativeSelect, Progress, SimpleGrid, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type EXECUTION_STATUSES, TERMINAL_STATUSES } from '#schemas/api/execution-status.ts';
import { call } from '../../api/client.ts';
import { defined } from '../../parts/defined.ts';
import { EXECUTION_TEXT } from '../../parts/execution/text.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { showDone, showFailure } from '../../parts/show-failure.tsx';
import { MomentInput } from '../../parts/time/moment-input.tsx';
import { timeOfInput } from '../../parts/time/time-input.ts';
import { bulkActionsQuery } from './limit-queries.ts';
import { LIMITS_TEXT } from './limits-text.ts';
import { workflowKey } from './queries.ts';

const TEXT = LIMITS_TEXT.bulk;
type Status = (typeof EXECUTION_STATUSES)[number];
type Kind = 'cancel' | 'replay';

const hasEnded = (status: Status) => (TERMINAL_STATUSES as readonly Status[]).includes(status);

/** Buttons that cancel or replay the listed executions, and the progress of the last action. */
export function BulkActions({
  workflow,
  statuses,
}: {
  readonly workflow: string;
  readonly statuses: readonly Status[] | undefined;
}) {
  const [asking, ask] = useState<Kind>();
  const { data: actions } = useQuery(bulkActionsQuery(workflow));
  const running = actions?.[0]?.endedAt === null;
  const applies = (kind: Kind) =>
    statuses === undefined || statuses.some((status) => hasEnded(status) === (kind === 'replay'));
  return (
    <>
      <Group gap="xs" mb="sm">
        {(['cancel', 'replay'] as const).map((kind) => (
          <Button
            key={kind}
            size="compact-sm"
            variant="default"
            disabled={running || !applies(kind)}
            onClick={() => ask(kind)}
          >
            {TEXT[kind]}
          </Button>
        ))}
        <LastAction workflow={workflow} />
      </Group>
      {asking !== undefined && (
        <BulkDialog
          workflow={workflow}
          action={asking}
          statuses={statuses?.filter((status) => hasEnded(status) === (asking === 'replay'))}
          onClose={() => ask(undefined)}
        />
      )}
    </>
  );
}

function LastAction({ workflow }: { readonly workflow: string }) {
  const { data: actions } = useQuery(bulkActionsQuery(workflow));
  const last = actions?.[0];
  if (last === undefined) return null;
  const { id, action, total, done, skipped, status } = last;
  const running = last.endedAt === null;
  const stop = () =>
    call('post', '/api/v1/workflows/{id}/bulk-actions/{actionId}/stop', { path: { id: workflow, actionId: id } }).catch(
      showFailure,
    );
  return (
    <Group gap="xs" role="status">
      {running && <Progress w="8rem" value={(100 * (done + skipped)) / total} aria-label={TEXT.running[action]} />}
      <Text size="sm" c="dimmed">
        {running ? TEXT.running[action] : TEXT.ended[action]} {TEXT.progress(done, total)}
        {skipped > 0 && TEXT.skipped(skipped)}
        {status === 'stopped' && ` · ${TEXT.stopped}`}
        {last.problem !== null && ` · ${last.problem}`}
      </Text>
      {running && (
        <Button size="compact-sm" variant="default" onClick={() => void stop()}>
          {TEXT.stop}
        </Button>
      )}
    </Group>
  );
}

/** Shows the number of selected executions before the action starts. */
function BulkDialog({
  workflow,
  action,
  statuses,
  onClose,
}: {
  readonly workflow: string;
  readonly action: Kind;
  readonly statuses: readonly Status[] | undefined;
  readonly onClose: () => void;
}) {
  const [range, setRange] = useState({ from: '', to: '' });
  const [version, setVersion] = useState<'latest' | 'same'>('latest');
  const [busy, setBusy] = useState(false);
  const queries = useQueryClient();
  const chosen = {
    action,
    ...(statuses === undefined ? {} : { statuses: [...statuses] }),
    ...defined({ from: timeOfInput(range.from), to: timeOfInput(range.to) }),
  };
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [...workflowKey(workflow), 'bulk-count', chosen],
    queryFn: ({ signal }) =>
      call('post', '/api/v1/workflows/{id}/bulk-actions/count', { path: { id: workflow }, body: chosen, signal }),
    gcTime: 0,
  });
  const count = data?.count ?? 0;
  const tooMany = data !== undefined && count > data.max;

  async function start() {
    setBusy(true);
    try {
      const body = { ...chosen, expected: count, ...(action === 'replay' ? { version } : {}) };
      await call('post', '/api/v1/workflows/{id}/bulk-actions', { path: { id: workflow }, body });
      await queries.invalidateQueries({ queryKey: bulkActionsQuery(workflow).queryKey });
      showDone(TEXT.started);
      onClose();
    } catch (failed) {
      showFailure(failed);
      // More executions may match now. The user confirms the current number.
      void refetch();
    } finally {
      setBusy(false);
    }
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={action === 'cancel' ? TEXT.cancelTitle : TEXT.replayTitle}
      closeButtonProps={{ 'aria-label': TEXT.close }}
    >
      <Text size="sm" mb="xs">
        {statuses === undefined
          ? TEXT.allStatuses[action]
          : TEXT.statuses(statuses.map((status) => EXECUTION_TEXT.statuses[status] ?? status).join(', '))}
      </Text>
      <RangeInputs range={range} onChange={setRange} />
      {action === 'replay' && (
        <NativeSelect
          mb="sm"
          label={TEXT.version}
          value={version}
          data={[
            { value: 'latest', label: TEXT.versions.latest },
            { value: 'same', label: TEXT.versions.same },
          ]}
          onChange={({ currentTarget: { value } }) => setVersion(value === 'same' ? 'same' : 'latest')}
        />
      )}
      {error ? <FailureNotice error={error} /> : null}
      {data === undefined && !error && <Loader size="sm" aria-label={TEXT.counting} />}
      {data !== undefined && (
        <Text size="sm" mb="md" role="status">
          {countText(action, count, tooMany ? data.max : undefined)}
        </Text>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {TEXT.close}
        </Button>
        <Button
          {...(action === 'cancel' ? { color: 'red' } : {})}
          loading={busy}
          disabled={count === 0 || tooMany || isFetching}
          onClick={() => void start()}
        >
          {action === 'cancel' ? TEXT.cancelConfirm(count) : TEXT.replayConfirm(count)}
        </Button>
      </Group>
    </Modal>
  );
}

interface Range {
  readonly from: string;
  readonly to: string;
}

function RangeInputs({ range, onChange }: { readonly range: Range; readonly onChange: (range: Range) => void }) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" mb="sm">
      {(['from', 'to'] as const).map((end) => (
        <MomentInput
          key={end}
          label={TEXT[end]}
          value={range[end]}
          onChange={(value) => onChange({ ...range, [end]: value })}
        />
      ))}
    </SimpleGrid>
  );
}

function countText(action: Kind, count: number, tooManyThan: number | undefined): string {
  if (tooManyThan !== undefined) return TEXT.tooMany(tooManyThan);
  if (count === 0) return TEXT.noMatch;
  return action === 'cancel' ? TEXT.cancelCount(count) : TEXT.replayCount(count);
}
