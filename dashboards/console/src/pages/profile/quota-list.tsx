import { Table, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { numberText } from '../../language/numbers.ts';
import { bytesText } from '../dashboard/quantities.ts';
import { PROFILE_TEXT } from './text.ts';

const TEXT = PROFILE_TEXT.quota;

/** Style of columns with amounts, which must not wrap. */
const ONE_LINE = { whiteSpace: 'nowrap', overflowWrap: 'normal' } as const;

/** Usage and quotas of the account. */
export function QuotaList() {
  const { data } = useQuery({
    queryKey: ['quota'],
    queryFn: ({ signal }) => call('get', '/api/user/quota', { signal }),
  });
  if (data === undefined) return null;
  return (
    <>
      <Title order={2} size="h5" id="usage">
        {TEXT.title}
      </Title>
      <Table aria-labelledby="usage">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{TEXT.resource}</Table.Th>
            <Table.Th scope="col" ta="right" style={ONE_LINE}>
              {TEXT.used}
            </Table.Th>
            <Table.Th scope="col" ta="right" style={ONE_LINE}>
              {TEXT.quota}
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {data.data.map(({ resource, used, quota }) => (
            <Table.Tr key={resource}>
              <Table.Th scope="row" fw="normal">
                {TEXT.resources[resource]}
              </Table.Th>
              <Table.Td ta="right" style={ONE_LINE} fw={quota !== null && used >= quota ? 'bold' : undefined}>
                {amount(resource, used)}
              </Table.Td>
              <Table.Td ta="right" style={ONE_LINE}>
                {quota === null ? TEXT.unlimited : amount(resource, quota)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </>
  );
}

function amount(resource: string, value: number): string {
  return resource.endsWith('_bytes') ? bytesText(value) : numberText(value);
}
