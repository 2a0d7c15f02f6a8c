import { Button, Group, NativeSelect, Stack, Text, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ROLES, type Role } from '#schemas/api/role-order.ts';
import { FailureNotice } from '../failure-notice.tsx';
import { showDone } from '../show-failure.tsx';
import { PARTS_TEXT } from '../text.ts';
import { addGrant, type NewGrant, teamsQuery, type UnitKind } from './queries.ts';
import { SHARING_TEXT } from './text.ts';

const TEXT = SHARING_TEXT.form;
const KINDS = ['user', 'team', 'role'] as const;
const PERMISSIONS = ['view', 'run', 'edit', 'approve'] as const;

const optionsOf = <T extends string>(labels: Readonly<Record<T, string>>, values: readonly T[]) =>
  values.map((value) => ({ value, label: labels[value] }));

/** Shares a workflow or agent with a user, a team or a role. */
export function GrantForm({
  kind,
  id,
  onAdded,
}: {
  readonly kind: UnitKind;
  readonly id: string;
  readonly onAdded: () => Promise<unknown>;
}) {
  const { data: teams = [] } = useQuery(teamsQuery);
  const [subject, setSubject] = useState<(typeof KINDS)[number]>('user');
  const [name, setName] = useState('');
  const [permission, setPermission] = useState<NewGrant['permission']>('run');
  const [failure, setFailure] = useState<unknown>();
  const [busy, setBusy] = useState(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
    setBusy(true);
    setFailure(undefined);
    try {
      await addGrant(kind, id, { permission, [subject]: name });
      setName('');
      showDone(TEXT.done);
      await onAdded();
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Stack gap="xs" component="form" onSubmit={(event: FormEvent) => void submit(event)}>
      <Title order={2} size="h5">
        {TEXT.title}
      </Title>
      {failure !== undefined && <FailureNotice error={failure} />}
      <Group align="flex-end" gap="xs">
        <NativeSelect
          label={TEXT.kind}
          data={optionsOf(TEXT.kinds, KINDS)}
          value={subject}
          onChange={({ currentTarget: { value } }) => {
            setSubject(value as typeof subject);
            setName('');
          }}
        />
        {subject === 'user' && (
          <TextInput
            label={TEXT.user}
            value={name}
            maxLength={100}
            autoComplete="off"
            onChange={({ currentTarget: { value } }) => setName(value)}
          />
        )}
        {subject === 'team' && (
          <NativeSelect
            label={TEXT.team}
            data={[
              { value: '', label: teams.length === 0 ? TEXT.noTeams : TEXT.choose },
              ...teams.map((team) => ({ value: team.name, label: team.name })),
            ]}
            value={name}
            onChange={({ currentTarget: { value } }) => setName(value)}
          />
        )}
        {subject === 'role' && (
          <NativeSelect
            label={TEXT.role}
            data={[
              { value: '', label: TEXT.choose },
              ...ROLES.map((role: Role) => ({ value: role, label: PARTS_TEXT.roles[role] })),
            ]}
            value={name}
            onChange={({ currentTarget: { value } }) => setName(value)}
          />
        )}
        <NativeSelect
          label={TEXT.permission}
          data={optionsOf(SHARING_TEXT.permissions, PERMISSIONS)}
          value={permission}
          onChange={({ currentTarget: { value } }) => setPermission(value as typeof permission)}
        />
        <Button type="submit" loading={busy} disabled={name === ''}>
          {TEXT.submit}
        </Button>
      </Group>
      <Text size="sm" c="dimmed">
        {SHARING_TEXT.permissionHints[permission]}
      </Text>
    </Stack>
  );
}
