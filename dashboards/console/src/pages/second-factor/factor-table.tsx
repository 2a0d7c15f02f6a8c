import { Button, Table } from '@mantine/core';
import { type Answer, call } from '../../api/client.ts';
import { TimeText } from '../../parts/time/time-text.tsx';
import { visible } from '../../parts/visible.ts';
import { SECOND_FACTOR_TEXT } from './text.ts';

const TEXT = SECOND_FACTOR_TEXT;

/** The second factors of the account, each with a button that removes it. */
export function FactorTable({
  totp,
  passkeys,
  onRemove,
}: {
  readonly totp: boolean;
  readonly passkeys: Answer<'get', '/api/user/passkeys'>['data'];
  /** `remove` sends the request. */
  readonly onRemove: (factor: string, remove: () => Promise<unknown>) => void;
}) {
  const remove = (factor: string, send: () => Promise<unknown>) => (
    <Table.Td ta="right">
      <Button
        variant="default"
        size="compact"
        aria-label={TEXT.removeOf(factor)}
        onClick={() => onRemove(factor, send)}
      >
        {TEXT.remove}
      </Button>
    </Table.Td>
  );
  return (
    <Table aria-labelledby="second-factor">
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">{TEXT.columns.factor}</Table.Th>
          <Table.Th scope="col">{TEXT.columns.used}</Table.Th>
          <Table.Td />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {totp && (
          <Table.Tr>
            <Table.Th scope="row" fw="normal">
              {TEXT.app}
            </Table.Th>
            <Table.Td />
            {remove(TEXT.app, () => call('delete', '/api/user/second-factor/totp', {}))}
          </Table.Tr>
        )}
        {passkeys.map(({ id, name, lastUsedAt }) => (
          <Table.Tr key={id}>
            <Table.Th scope="row" fw="normal">
              {TEXT.passkey(visible(name))}
            </Table.Th>
            <Table.Td>{lastUsedAt === null ? TEXT.never : <TimeText at={lastUsedAt} ago />}</Table.Td>
            {remove(TEXT.passkey(visible(name)), () => call('delete', '/api/user/passkeys/{id}', { path: { id } }))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
