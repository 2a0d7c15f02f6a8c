import { Checkbox, Modal, NativeSelect, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { ROLES } from '#schemas/api/role-order.ts';
import { type Body, call } from '../../api/client.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { FormButtons } from '../../parts/form-buttons.tsx';
import { showDone } from '../../parts/show-failure.tsx';
import { PARTS_TEXT } from '../../parts/text.ts';
import { ADMIN_TEXT } from './text.ts';

const TEXT = ADMIN_TEXT.newUser;

type NewUser = Body<'post', '/api/admin/users'>;

/** Creates a user, then opens their page. */
export function NewUserDialog({ opened, onClose }: { readonly opened: boolean; readonly onClose: () => void }) {
  return (
    <Modal opened={opened} onClose={onClose} title={TEXT.title} closeButtonProps={{ 'aria-label': TEXT.close }}>
      {opened && <NewUserForm onClose={onClose} />}
    </Modal>
  );
}

function NewUserForm({ onClose }: { readonly onClose: () => void }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const making = useMutation({
    mutationFn: (body: NewUser) => call('post', '/api/admin/users', { body }),
    async onSuccess({ id, username }) {
      await queries.invalidateQueries({ queryKey: ['users'] });
      onClose();
      showDone(TEXT.done(username));
      await navigate({ to: '/admin/users/$id', params: { id } });
    },
  });

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const password = String(form.get('password'));
    making.mutate({
      email: String(form.get('email')).trim(),
      username: String(form.get('username')).trim(),
      role: String(form.get('role')) as NonNullable<NewUser['role']>,
      emailVerified: form.get('verified') !== null,
      ...(password === '' ? {} : { password }),
    });
  }

  return (
    <form onSubmit={onSubmit} autoComplete="off">
      <Stack gap="sm">
        {making.isError && <FailureNotice error={making.error} />}
        <TextInput name="email" type="email" label={TEXT.email} required data-autofocus />
        <TextInput
          name="username"
          label={TEXT.username}
          description={TEXT.usernameHint}
          pattern="[A-Za-z0-9_\-]{3,32}"
          required
        />
        <NativeSelect
          name="role"
          label={TEXT.role}
          data={ROLES.map((value) => ({ value, label: PARTS_TEXT.roles[value] }))}
        />
        <PasswordInput
          name="password"
          label={TEXT.password}
          description={TEXT.passwordHint}
          autoComplete="new-password"
          minLength={12}
          maxLength={128}
        />
        <Checkbox name="verified" label={TEXT.verified} />
        <FormButtons submit={TEXT.submit} loading={making.isPending} onCancel={onClose} />
      </Stack>
    </form>
  );
}
