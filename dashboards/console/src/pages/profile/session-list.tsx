import { Button, Group, Table, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { showDone, showFailure } from '../../parts/show-failure.tsx';
import { TimeText } from '../../parts/time/time-text.tsx';
import { PROFILE_TEXT } from './text.ts';

const TEXT = PROFILE_TEXT.sessions;

export const SESSIONS_KEY = ['sessions'] as const;

/** Sessions of the account, each with a button that ends it. The current session ends by signing out. */
export function SessionList() {
  const queries = useQueryClient();
  const { data, error } = useQuery({
    queryKey: SESSIONS_KEY,
    queryFn: ({ signal }) => call('get', '/api/user/sessions', { signal }),
  });
  const end = useMutation({
    mutationFn: (id: string) => call('delete', '/api/user/sessions/{id}', { path: { id } }),
    onSuccess: () => showDone(TEXT.ended(1)),
    onError: showFailure,
    onSettled: () => queries.invalidateQueries({ queryKey: SESSIONS_KEY }),
  });
  const endOthers = useMutation({
    mutationFn: () => call('delete', '/api/user/sessions', {}),
    onSuccess: ({ ended }) => showDone(TEXT.ended(ended)),
    onError: showFailure,
    onSettled: () => queries.invalidateQueries({ queryKey: SESSIONS_KEY }),
  });
  if (error !== null) return <FailureNotice error={error} />;
  if (data === undefined) return null;
  return (
    <>
      <Title order={2} size="h5" id="sessions">
        {TEXT.title}
      </Title>
      <Table aria-labelledby="sessions">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{TEXT.signedIn}</Table.Th>
            <Table.Th scope="col">{TEXT.client}</Table.Th>
            <Table.Td />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {data.data.map(({ id, current, createdAt, ip, userAgent }) => (
            <Table.Tr key={id}>
              <Table.Td>
                <TimeText at={createdAt} ago />
              </Table.Td>
              <Table.Td title={userAgent}>{TEXT.from(clientName(userAgent), ip)}</Table.Td>
              <Table.Td ta="right">
                {current ? (
                  TEXT.current
                ) : (
                  <Button
                    variant="default"
                    size="compact"
                    aria-label={TEXT.endOf(ip)}
                    onClick={() => end.mutate(id)}
                    disabled={end.isPending}
                  >
                    {TEXT.end}
                  </Button>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {data.data.length > 1 && (
        <Group>
          <Button variant="default" onClick={() => endOthers.mutate()} loading={endOthers.isPending}>
            {TEXT.endOthers}
          </Button>
        </Group>
      )}
    </>
  );
}

/** Returns browser and system of a `User-Agent`, or its first word if it contains no common browser. */
export function clientName(userAgent: string): string {
  const browser = [/(Firefox)\//, /(Edg)\//, /(Chrome)\//, /(Safari)\//].map((name) => name.exec(userAgent)?.[1]);
  const system = /Windows|Android|iPhone|iPad|Mac OS X|Linux/.exec(userAgent)?.[0];
  const name = browser.find((found) => found !== undefined);
  if (name === undefined) return userAgent.split(/[\s/]/, 1)[0] || TEXT.unknownClient;
  return [name === 'Edg' ? 'Edge' : name, system].filter(Boolean).join(', ');
}
