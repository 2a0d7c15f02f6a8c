import { Button, Group, Loader, Modal, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Answer, call } from '../../api/client.ts';
import { CopyText } from '../../parts/copy-text.tsx';
import { Facts } from '../../parts/facts.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { HeadRow } from '../../parts/head-row.tsx';
import { TimeText } from '../../parts/time-text.tsx';
import { changesOf } from './audit-diff.ts';
import type { AuditSearch } from './search.ts';

export type Entry = Answer<'get', '/api/admin/audit-log/{id}'>;

/** One entry with what it changed, and its address to hand on. Closed while `id` is undefined. */
export function AuditEntry({
  id,
  shown,
  onClose,
  onFilter,
}: {
  readonly id: string | undefined;
  /** As a list shows it already; entries never change. */
  readonly shown: Entry | undefined;
  readonly onClose: () => void;
  readonly onFilter: (search: AuditSearch) => void;
}) {
  const query = useQuery({
    queryKey: ['audit-log-entry', id],
    queryFn: ({ signal }) => call('get', '/api/admin/audit-log/{id}', { signal, path: { id: id ?? '' } }),
    enabled: id !== undefined && shown === undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const entry = shown ?? query.data;
  return (
    <Modal
      opened={id !== undefined}
      onClose={onClose}
      size="xl"
      title={id === undefined ? '' : entry === undefined ? `Entry ${id}` : `Entry ${id}: ${entry.action}`}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {entry === undefined && query.isLoading && <Loader size="sm" aria-label="Loading the entry" />}
      {entry === undefined && query.isError && <FailureNotice error={query.error} />}
      {entry !== undefined && <EntryText entry={entry} onFilter={onFilter} />}
    </Modal>
  );
}

function EntryText({ entry, onFilter }: { readonly entry: Entry; readonly onFilter: (search: AuditSearch) => void }) {
  const { at, actor, actorName, target, targetName, ip, userAgent, requestId, hash, diff } = entry;
  const changes = changesOf(diff);
  return (
    <>
      {changes.length === 0 ? (
        <Text size="sm" mb="md">
          Nothing was changed by it, or nothing that is kept.
        </Text>
      ) : (
        <Table mb="md" withTableBorder aria-label="What changed">
          <HeadRow columns={['Field', 'Before', 'After']} />
          <Table.Tbody>
            {changes.map(({ field, before, after }) => (
              <Table.Tr key={field}>
                <Table.Th scope="row">{field}</Table.Th>
                <Table.Td className="tl-mono tl-keep-lines">{before ?? '–'}</Table.Td>
                <Table.Td className="tl-mono tl-keep-lines">{after ?? '–'}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      <Facts
        facts={[
          ['Time', <TimeText key="at" at={at} exact />],
          ['Who', actorName === null ? actor : `${actorName} (${actor})`],
          ['On what', targetName === null ? target : `${targetName} (${target})`],
          ['From', ip],
          ['Client', userAgent],
          ['Request', requestId],
          [
            'Address',
            <CopyText
              key="address"
              text={`${location.origin}/admin/audit-log?entry=${entry.id}`}
              label="Address of this entry"
            />,
          ],
          [
            'Hash',
            <span key="hash" className="tl-mono">
              {hash}
            </span>,
          ],
        ]}
      />
      <Group justify="flex-end">
        <Button variant="default" size="compact-md" onClick={() => onFilter({ actor })}>
          All by {actorName ?? actor.split(':')[0]}
        </Button>
        <Button variant="default" size="compact-md" onClick={() => onFilter({ target })}>
          All on this {target.split(':')[0]}
        </Button>
      </Group>
    </>
  );
}
