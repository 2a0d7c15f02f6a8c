import { Alert, Button, Loader, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { HeadRow } from '../../parts/list/head-row.tsx';
import type { Rule } from './rule.ts';
import { foreignChanges, type SettingsDraft } from './settings-draft.ts';
import { RULES_TEXT } from './text.ts';

const TEXT = RULES_TEXT.conflict;

/** Shows changes that another user made since the draft was started, and rebases the draft on them. */
export function SettingsConflict({
  base,
  draft,
  onTake,
}: {
  readonly base: Rule;
  readonly draft: SettingsDraft;
  readonly onTake: (now: Rule) => void;
}) {
  const now = useQuery({
    queryKey: ['rules', base.id, 'conflict', base.etag],
    queryFn: ({ signal }) => call('get', '/api/rules/{id}', { signal, path: { id: base.id } }),
    staleTime: 0,
    gcTime: 0,
  });
  if (now.isPending) return <Loader size="sm" aria-label={TEXT.loading} />;
  if (now.isError) return <FailureNotice error={now.error} onRetry={() => void now.refetch()} />;
  return (
    <Alert variant="outline" color="red" role="alert" title={TEXT.title}>
      <Text size="sm">{TEXT.hint}</Text>
      <Table my="xs">
        <HeadRow columns={[TEXT.columns.name, TEXT.columns.before, TEXT.columns.now, TEXT.columns.mine]} />
        <Table.Tbody>
          {foreignChanges(base, now.data, draft).map(({ name, before, now: is, mine }) => (
            <Table.Tr key={name}>
              <Table.Th scope="row" fw={400}>
                {name}
              </Table.Th>
              <Table.Td>{before}</Table.Td>
              <Table.Td>{is}</Table.Td>
              <Table.Td>{mine ?? '–'}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Button variant="default" onClick={() => onTake(now.data)}>
        {TEXT.merge}
      </Button>
    </Alert>
  );
}
