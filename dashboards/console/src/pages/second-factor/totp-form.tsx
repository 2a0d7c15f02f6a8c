import { Button, Group, Loader, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useId } from 'react';
import { CopyText } from '../../parts/copy-text.tsx';
import { FactorFailure } from './factor-failure.tsx';
import { QrCode } from './qr-code.tsx';
import { SECOND_FACTOR_TEXT } from './text.ts';

const TEXT = SECOND_FACTOR_TEXT.totp;

/** Shows a new secret as a QR code and asks for its first code. Calls `start` once. */
export function TotpForm({
  start,
  confirm,
}: {
  readonly start: () => Promise<{ readonly secret: string; readonly uri: string }>;
  /** Sends the code. */
  readonly confirm: (code: string) => Promise<unknown>;
}) {
  const id = useId();
  const secret = useQuery({
    queryKey: ['new-totp', id],
    queryFn: start,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const sending = useMutation({ mutationFn: confirm });

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    sending.mutate(String(new FormData(event.currentTarget).get('code')).trim());
  }

  if (secret.isError) return <FactorFailure error={secret.error} />;
  if (secret.isPending) return <Loader size="sm" aria-label={TEXT.title} />;
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="sm">
        <Text size="sm">{TEXT.scan}</Text>
        <Group justify="center">
          <QrCode text={secret.data.uri} label={TEXT.qr} />
        </Group>
        <div>
          <Text size="sm">{TEXT.manual}</Text>
          <CopyText text={secret.data.secret.replaceAll(/(.{4})(?=.)/g, '$1 ')} label={TEXT.secret} />
        </div>
        {sending.isError && <FactorFailure error={sending.error} />}
        <TextInput
          name="code"
          label={TEXT.code}
          description={TEXT.codeHint}
          autoComplete="one-time-code"
          inputMode="numeric"
          pattern="\d{3} ?\d{3}"
          required
          data-autofocus
        />
        <Button type="submit" loading={sending.isPending}>
          {TEXT.action}
        </Button>
      </Stack>
    </form>
  );
}
