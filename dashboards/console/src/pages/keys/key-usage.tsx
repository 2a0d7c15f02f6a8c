import { Box, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { numberText } from '../../language/numbers.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { KEYS_TEXT } from './text.ts';

const TEXT = KEYS_TEXT.keyUsage;
const SHOWN_DAYS = 7;

/** Requests with a key, on the latest days with requests. */
export function KeyUsage({ keyId }: { readonly keyId: string }) {
  const { data, error } = useQuery({
    queryKey: ['key-usage', keyId],
    queryFn: ({ signal }) => call('get', '/api/user/api-keys/{keyId}/usage', { signal, path: { keyId } }),
  });
  if (error !== null) return <FailureNotice error={error} />;
  if (data === undefined) return null;
  return (
    <Box component="section" mb="md">
      <Title order={3} size="h6" id="key-usage" mt="sm">
        {TEXT.title}
      </Title>
      {data.days.length === 0 ? (
        <Text size="sm">{TEXT.none}</Text>
      ) : (
        <Table aria-labelledby="key-usage">
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{TEXT.day}</Table.Th>
              <Table.Th scope="col" ta="right">
                {TEXT.requests}
              </Table.Th>
              <Table.Th scope="col">{TEXT.groups}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data.days.slice(0, SHOWN_DAYS).map(({ day, requests, groups }) => (
              <Table.Tr key={day}>
                <Table.Th scope="row" fw="normal" style={{ whiteSpace: 'nowrap' }}>
                  {day}
                </Table.Th>
                <Table.Td ta="right">{numberText(requests)}</Table.Td>
                <Table.Td>
                  {groups.map(({ group, requests: count }) => `${group} ${numberText(count)}`).join(', ')}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Box>
  );
}
