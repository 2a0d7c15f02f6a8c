import { Button, Loader, Stack, Table, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { FailureNotice } from '../failure-notice.tsx';
import { HeadRow } from '../list/head-row.tsx';
import { showDone, showFailure } from '../show-failure.tsx';
import { visible } from '../visible.ts';
import { GrantForm } from './grant-form.tsx';
import { accessQuery, type Grant, grantsQuery, removeGrant, type UnitKind } from './queries.ts';
import { SHARING_TEXT } from './text.ts';

const TEXT = SHARING_TEXT;

/** Grants on a workflow or agent. Its owner and administrators can change them. */
export function SharingSection({ kind, id }: { readonly kind: UnitKind; readonly id: string }) {
  const { data: access, error, refetch } = useQuery(accessQuery(kind, id));
  if (access === undefined)
    return error ? (
      <FailureNotice error={error} onRetry={() => void refetch()} />
    ) : (
      <Loader size="sm" aria-label={TEXT.loading} />
    );
  const may = [TEXT.mayView, ...(access.run ? [TEXT.mayRun] : []), ...(access.edit ? [TEXT.mayEdit] : [])];
  return (
    <Stack maw="48rem">
      <Text>{TEXT.visibility[access.visibility]}</Text>
      {access.share ? (
        <Grants kind={kind} id={id} />
      ) : (
        <>
          <Text>{TEXT.mine(may)}</Text>
          <Text c="dimmed" size="sm">
            {TEXT.notSharable}
          </Text>
        </>
      )}
    </Stack>
  );
}

function Grants({ kind, id }: { readonly kind: UnitKind; readonly id: string }) {
  const { data: grants, error, refetch } = useQuery(grantsQuery(kind, id));
  const queries = useQueryClient();
  const changed = () => queries.invalidateQueries({ queryKey: ['sharing', kind, id] });

  async function remove(grant: string) {
    try {
      await removeGrant(kind, id, grant);
      showDone(TEXT.removed);
      await changed();
    } catch (failed) {
      showFailure(failed);
    }
  }

  if (grants === undefined)
    return error ? (
      <FailureNotice error={error} onRetry={() => void refetch()} />
    ) : (
      <Loader size="sm" aria-label={TEXT.loading} />
    );
  return (
    <>
      {grants.length === 0 ? (
        <Text c="dimmed">{TEXT.empty}</Text>
      ) : (
        <Table aria-label={TEXT.list}>
          <HeadRow columns={[TEXT.columns.who, TEXT.columns.permission, TEXT.columns.actions]} />
          <Table.Tbody>
            {grants.map((grant) => (
              <Table.Tr key={grant.id}>
                <Table.Td>{visible(subjectText(grant))}</Table.Td>
                <Table.Td>{TEXT.permissions[grant.permission]}</Table.Td>
                <Table.Td>
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={TEXT.remove(subjectText(grant))}
                    onClick={() => void remove(grant.id)}
                  >
                    {TEXT.removeShort}
                  </Button>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      <GrantForm kind={kind} id={id} onAdded={changed} />
    </>
  );
}

function subjectText({ user, team, role }: Grant): string {
  if (user !== null) return TEXT.user(user);
  return team === null ? TEXT.role(role ?? '') : TEXT.team(team);
}
