import { Table, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { bytesText } from '../dashboard/quantities.ts';

/** What the account keeps and may keep. */
export function QuotaList() {
  const { data } = useQuery({
    queryKey: ['quota'],
    queryFn: ({ signal }) => call('get', '/api/user/quota', { signal }),
  });
  if (data === undefined) return null;
  return (
    <>
      <Title order={2} size="h5" id="usage">
        Usage
      </Title>
      <Table aria-labelledby="usage">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Resource</Table.Th>
            <Table.Th scope="col" ta="right">
              Used
            </Table.Th>
            <Table.Th scope="col" ta="right">
              Quota
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {data.data.map(({ resource, description, used, quota }) => (
            <Table.Tr key={resource}>
              <Table.Th scope="row" fw="normal">
                {description}
              </Table.Th>
              <Table.Td ta="right" fw={quota !== null && used >= quota ? 'bold' : undefined}>
                {amount(resource, used)}
              </Table.Td>
              <Table.Td ta="right">{quota === null ? 'unlimited' : amount(resource, quota)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </>
  );
}

function amount(resource: string, value: number): string {
  return resource.endsWith('_bytes') ? bytesText(value) : value.toLocaleString();
}
