import { Button, Group, Loader, Modal, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Answer, call } from '../../api/client.ts';
import { CopyText } from '../../parts/copy-text.tsx';
import { Facts } from '../../parts/facts.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { HeadRow } from '../../parts/list/head-row.tsx';
import { PageLink } from '../../parts/page-link.tsx';
import { TimeText } from '../../parts/time/time-text.tsx';
import { addressOf, namedPage } from '../../parts/values/value-page.ts';
import { visible } from '../../parts/visible.ts';
import { changesOf } from './audit-diff.ts';
import type { AuditSearch } from './search.ts';
import { ADMIN_TEXT } from './text.ts';

const TEXT = ADMIN_TEXT.entry;

export type Entry = Answer<'get', '/api/admin/audit-log/{id}'>;

/** One entry with its changes and a link to it. Closed while `id` is undefined. */
export function AuditEntry({
  id,
  shown,
  onClose,
  onFilter,
}: {
  readonly id: string | undefined;
  /** The entry as the list loaded it. Entries never change. */
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
      title={id === undefined ? '' : entry === undefined ? TEXT.title(id, undefined) : TEXT.title(id, entry.action)}
      closeButtonProps={{ 'aria-label': TEXT.close }}
    >
      {entry === undefined && query.isLoading && <Loader size="sm" aria-label={TEXT.loading} />}
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
          {TEXT.unchanged}
        </Text>
      ) : (
        <Table mb="md" withTableBorder aria-label={TEXT.changes}>
          <HeadRow columns={[TEXT.columns.field, TEXT.columns.before, TEXT.columns.after]} />
          <Table.Tbody>
            {changes.map(({ field, before, after }) => (
              <Table.Tr key={field}>
                <Table.Th scope="row">{field}</Table.Th>
                <Table.Td className="tl-mono tl-keep-lines">{before ?? TEXT.noValue}</Table.Td>
                <Table.Td className="tl-mono tl-keep-lines">{after ?? TEXT.noValue}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      <Facts
        facts={[
          [TEXT.facts.time, <TimeText key="at" at={at} exact />],
          [TEXT.facts.actor, <Mentioned key="actor" id={actor} name={actorName} />],
          [TEXT.facts.target, <Mentioned key="target" id={target} name={targetName} />],
          [TEXT.facts.ip, ip],
          [TEXT.facts.client, userAgent],
          [TEXT.facts.request, requestId],
          [
            TEXT.facts.link,
            <CopyText key="address" text={TEXT.link(location.origin, entry.id)} label={TEXT.linkLabel} />,
          ],
          [
            TEXT.facts.hash,
            <span key="hash" className="tl-mono">
              {hash}
            </span>,
          ],
        ]}
      />
      <Group justify="flex-end">
        <Button variant="default" onClick={() => onFilter({ actor })}>
          {TEXT.allBy(actorName ?? actor.split(':')[0])}
        </Button>
        <Button variant="default" onClick={() => onFilter({ target })}>
          {TEXT.allOn(target.split(':')[0])}
        </Button>
      </Group>
    </>
  );
}

/** Shows an actor or target with its id, linked to its page if there is one. */
function Mentioned({ id, name }: { readonly id: string; readonly name: string | null }) {
  const text = visible(name === null ? id : TEXT.named(name, id));
  const page = namedPage(id);
  if (page === undefined) return text;
  return (
    <PageLink {...addressOf(page)} size="sm">
      {text}
    </PageLink>
  );
}
