import { Button, Group, NativeSelect, Paper, Text, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ROLES, type Role } from '#schemas/api/role-order.ts';
import { type Answer, type Body, call } from '../../api/client.ts';
import { useProfile } from '../../app/use-profile.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { showDone, showFailure } from '../../parts/show-failure.tsx';
import { PARTS_TEXT } from '../../parts/text.ts';
import { MomentInput } from '../../parts/time/moment-input.tsx';
import { timeOfInput } from '../../parts/time/time-input.ts';
import { momentText } from '../../parts/time/time-words.ts';
import { PasswordLink } from './password-link.tsx';
import { ADMIN_TEXT } from './text.ts';

const TEXT = ADMIN_TEXT.changes;

type User = Answer<'get', '/api/admin/users/{id}'> & { readonly etag: string | null };
type Change = Body<'patch', '/api/admin/users/{id}'>;

/** A change with its confirmation. */
interface Question {
  readonly title: string;
  readonly text: string;
  readonly action: string;
  readonly change: Change;
}

/**
 * Role, state and expiry of a user. Administrators can neither change their own account nor overwrite unseen changes of
 * another administrator. Long: the markup of one form and its confirmations.
 */
export function UserChanges({ user }: { readonly user: User }) {
  const own = useProfile().id === user.id;
  const queries = useQueryClient();
  const [role, setRole] = useState<Role>(user.role);
  const [end, setEnd] = useState('');
  const ends = timeOfInput(end);
  const [question, setQuestion] = useState<Question>();
  const change = useMutation({
    mutationFn: (body: Change) =>
      call('patch', '/api/admin/users/{id}', {
        path: { id: user.id },
        headers: user.etag === null ? {} : { 'if-match': user.etag },
        body,
      }),
    // Runs also after a conflict, and then shows the current values.
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ['user', user.id] }),
        queries.invalidateQueries({ queryKey: ['users'] }),
      ]),
    onSuccess() {
      setEnd('');
      showDone(TEXT.done(user.username));
    },
  });
  if (own)
    return (
      <Text size="sm" c="dimmed">
        {TEXT.own}
      </Text>
    );
  return (
    <Paper withBorder p="sm" component="section" aria-label={TEXT.title}>
      <Title order={2} size="h5" mb="xs">
        {TEXT.title}
      </Title>
      <Group align="flex-end" gap="xl">
        <Group align="flex-end" gap="xs">
          <NativeSelect
            label={TEXT.role.label}
            value={role}
            data={ROLES.map((value) => ({ value, label: PARTS_TEXT.roles[value] }))}
            onChange={({ currentTarget }) => setRole(currentTarget.value as Role)}
          />
          <Button
            variant="default"
            disabled={role === user.role}
            onClick={() =>
              setQuestion({
                title: TEXT.role.question(user.username, PARTS_TEXT.roles[role]),
                text: TEXT.role.consequence(PARTS_TEXT.roles[user.role], PARTS_TEXT.roles[role]),
                action: TEXT.role.action,
                change: { role },
              })
            }
          >
            {TEXT.role.action}
          </Button>
        </Group>
        <Group align="flex-end" gap="xs">
          <MomentInput label={TEXT.expiry.label} value={end} onChange={setEnd} />
          <Button
            variant="default"
            disabled={ends === undefined}
            onClick={() =>
              ends !== undefined &&
              setQuestion({
                title: TEXT.expiry.question(user.username),
                text: TEXT.expiry.consequence(momentText(new Date(ends))),
                action: TEXT.expiry.action,
                change: { endDate: ends },
              })
            }
          >
            {TEXT.expiry.action}
          </Button>
          {user.endDate !== null && (
            <Button
              variant="default"
              loading={change.isPending}
              onClick={() => change.mutate({ endDate: null }, { onError: showFailure })}
            >
              {TEXT.expiry.remove}
            </Button>
          )}
        </Group>
        {!user.disabled && <PasswordLink user={user} />}
        {user.disabled ? (
          <Button
            variant="default"
            loading={change.isPending}
            onClick={() => change.mutate({ disabled: false }, { onError: showFailure })}
          >
            {TEXT.enable}
          </Button>
        ) : (
          <Button
            variant="default"
            c="var(--mantine-color-error)"
            onClick={() =>
              setQuestion({
                title: TEXT.disable.question(user.username),
                text: TEXT.disable.consequence,
                action: TEXT.disable.action,
                change: { disabled: true },
              })
            }
          >
            {TEXT.disable.action}
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
