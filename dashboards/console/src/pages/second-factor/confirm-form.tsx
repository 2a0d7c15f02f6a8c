import { Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { type Body, call } from '../../api/client.ts';
import { FactorFailure } from './factor-failure.tsx';
import { SECOND_FACTOR_TEXT } from './text.ts';

const TEXT = SECOND_FACTOR_TEXT.confirm;

/** Asks for the password again, or for a code if the account has no password. */
export function ConfirmForm({
  by,
  onConfirmed,
}: {
  readonly by: 'password' | 'code';
  readonly onConfirmed: () => void;
}) {
  const confirming = useMutation({
    mutationFn: (body: Body<'post', '/api/user/second-factor/confirm'>) =>
      call('post', '/api/user/second-factor/confirm', { body }),
    onSuccess: onConfirmed,
  });

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const proof = String(new FormData(event.currentTarget).get('proof'));
    confirming.mutate(by === 'password' ? { password: proof } : { code: proof.trim() });
  }

  return (
    <form onSubmit={onSubmit}>
      <Stack gap="sm">
        <Text size="sm">{by === 'password' ? TEXT.hint : TEXT.codeHint}</Text>
        {confirming.isError && <FactorFailure error={confirming.error} />}
        {by === 'password' ? (
          <PasswordInput
            name="proof"
            label={TEXT.password}
            autoComplete="current-password"
            maxLength={128}
            required
            data-autofocus
          />
        ) : (
          <TextInput
            name="proof"
            label={TEXT.code}
            autoComplete="one-time-code"
            maxLength={32}
            required
            data-autofocus
          />
        )}
        <Button type="submit" loading={confirming.isPending}>
          {TEXT.action}
        </Button>
      </Stack>
    </form>
  );
}
