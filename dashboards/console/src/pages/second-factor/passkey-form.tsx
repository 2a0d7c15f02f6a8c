import { Button, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { FactorFailure } from './factor-failure.tsx';
import { SECOND_FACTOR_TEXT } from './text.ts';

const TEXT = SECOND_FACTOR_TEXT.passkeys;

/** Asks for the name of a new passkey. `add` opens the browser's dialog. */
export function PasskeyForm({ add }: { readonly add: (name: string) => Promise<unknown> }) {
  const adding = useMutation({ mutationFn: add });

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    adding.mutate(String(new FormData(event.currentTarget).get('passkey')).trim());
  }

  return (
    <form onSubmit={onSubmit}>
      <Stack gap="sm">
        {adding.isError && <FactorFailure error={adding.error} />}
        <TextInput
          name="passkey"
          label={TEXT.name}
          description={TEXT.nameHint}
          autoComplete="off"
          maxLength={64}
          required
          data-autofocus
        />
        <Button type="submit" loading={adding.isPending}>
          {TEXT.action}
        </Button>
      </Stack>
    </form>
  );
}
