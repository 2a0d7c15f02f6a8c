import { Alert, Button, Loader, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { HeadRow } from '../../parts/head-row.tsx';
import type { Rule } from './rule.ts';
import { foreignChanges, type SettingsDraft } from './settings-draft.ts';

/** Shows what somebody else changed since the draft was begun, and takes it as what the draft goes on from. */
export function ChangedMeanwhile({
  base,
  draft,
  onTake,
}: {
  readonly base: Rule;
  readonly draft: SettingsDraft;
  readonly onTake: (now: Rule) => void;
}) {
  const now = useQuery({
    queryKey: ['rules', base.id, 'meanwhile', base.etag],
    queryFn: ({ signal }) => call('get', '/api/rules/{id}', { signal, path: { id: base.id } }),
    staleTime: 0,
    gcTime: 0,
  });
  if (now.isPending) return <Loader size="sm" aria-label="Looking at what has changed" />;
  if (now.isError) return <FailureNotice error={now.error} onRetry={() => void now.refetch()} />;
  return (
    <Alert variant="outline" color="red" role="alert" title="Somebody else changed this rule a moment ago">
      <Text size="sm">Nothing of yours was saved. This is new:</Text>
      <Table my="xs">
        <HeadRow columns={['Name', 'Was', 'Is now', 'Yours']} />
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
      <Button size="compact-md" variant="default" onClick={() => onTake(now.data)}>
        Go on from there with my changes
      </Button>
    </Alert>
  );
}
