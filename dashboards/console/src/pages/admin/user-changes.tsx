import { Button, Group, NativeSelect, Paper, Text, TextInput, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ROLES, type Role } from '#schemas/api/role-order.ts';
import { type Answer, type Body, call } from '../../api/client.ts';
import { useProfile } from '../../app/use-profile.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { showDone, showFailure } from '../../parts/show-failure.tsx';

type User = Answer<'get', '/api/admin/users/{id}'> & { readonly etag: string | null };
type Change = Body<'patch', '/api/admin/users/{id}'>;

/** What is asked before a change, and what the change is. */
interface Question {
  readonly title: string;
  readonly text: string;
  readonly action: string;
  readonly change: Change;
}

/**
 * Role, disabled state and end of an account. Nobody changes their own, and no administrator what another one changed unseen.
 * Long: the markup of one form and its questions.
 */
export function UserChanges({ user }: { readonly user: User }) {
  const own = useProfile().id === user.id;
  const queries = useQueryClient();
  const [role, setRole] = useState<Role>(user.role);
  const [end, setEnd] = useState('');
  const [question, setQuestion] = useState<Question>();
  const change = useMutation({
    mutationFn: (body: Change) =>
      call('patch', '/api/admin/users/{id}', {
        path: { id: user.id },
        headers: user.etag === null ? {} : { 'if-match': user.etag },
        body,
      }),
    // Also after a refusal: what is new is shown then.
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ['user', user.id] }),
        queries.invalidateQueries({ queryKey: ['users'] }),
      ]),
    onSuccess() {
      setEnd('');
      showDone(`The account ${user.username} is changed.`);
    },
  });
  if (own)
    return (
      <Text size="sm" c="dimmed">
        This is your own account: another administrator changes its role, disables or ends it.
      </Text>
    );
  return (
    <Paper withBorder p="sm" component="section" aria-label="Change this account">
      <Title order={2} size="h5" mb="xs">
        Change this account
      </Title>
      <Group align="flex-end" gap="xl">
        <Group align="flex-end" gap="xs">
          <NativeSelect
            label="Role"
            value={role}
            data={[...ROLES]}
            onChange={({ currentTarget }) => setRole(currentTarget.value as Role)}
          />
          <Button
            variant="default"
            disabled={role === user.role}
            onClick={() =>
              setQuestion({
                title: `Make ${user.username} ${role}?`,
                text: `The role ${user.role} becomes ${role}. It holds at once, for sessions and keys.`,
                action: 'Change the role',
                change: { role },
              })
            }
          >
            Change the role
          </Button>
        </Group>
        <Group align="flex-end" gap="xs">
          <TextInput
            type="datetime-local"
            label="Ends"
            value={end}
            onChange={({ currentTarget }) => setEnd(currentTarget.value)}
          />
          <Button
            variant="default"
            disabled={end === ''}
            onClick={() =>
              setQuestion({
                title: `Set an end for ${user.username}?`,
                text: `From ${new Date(end).toLocaleString()} on the account counts as disabled.`,
                action: 'Set the end',
                change: { endDate: new Date(end).toISOString() },
              })
            }
          >
            Set the end
          </Button>
          {user.endDate !== null && (
            <Button
              variant="default"
              loading={change.isPending}
              onClick={() => change.mutate({ endDate: null }, { onError: showFailure })}
            >
              Take the end away
            </Button>
          )}
        </Group>
        {user.disabled ? (
          <Button
            variant="default"
            loading={change.isPending}
            onClick={() => change.mutate({ disabled: false }, { onError: showFailure })}
          >
            Enable the account
          </Button>
        ) : (
          <Button
            color="red"
            onClick={() =>
              setQuestion({
                title: `Disable ${user.username}?`,
                text: 'All sessions of the account end, and its keys are refused. You can enable it again.',
                action: 'Disable the account',
                change: { disabled: true },
              })
            }
          >
            Disable the account
          </Button>
        )}
      </Group>
      <Confirm
        opened={question !== undefined}
        title={question?.title ?? ''}
        action={question?.action ?? ''}
        onClose={() => setQuestion(undefined)}
        onConfirm={async () => question && change.mutateAsync(question.change)}
      >
        {question?.text}
      </Confirm>
    </Paper>
  );
}
