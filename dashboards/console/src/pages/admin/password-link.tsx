import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { CopyText } from '../../parts/copy-text.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { SecretDialog, ShownOnce } from '../../parts/secret-dialog.tsx';
import { TimeText } from '../../parts/time/time-text.tsx';
import { ADMIN_TEXT } from './text.ts';

const TEXT = ADMIN_TEXT.passwordLink;

interface Props {
  readonly user: {
    readonly id: string;
    readonly username: string;
    readonly email: string;
    readonly canSendPasswordLink: boolean;
  };
}

/**
 * Creates a link with which a user sets a password, and shows it once. If the server can send e-mail, sends the link
 * instead.
 */
export function PasswordLink({ user }: Props) {
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant="default" onClick={open}>
        {TEXT.open}
      </Button>
      <SecretDialog opened={opened} title={TEXT.title(user.username)} onClose={close}>
        <NewLink user={user} onClose={close} />
      </SecretDialog>
    </>
  );
}

function NewLink({ user, onClose }: Props & { readonly onClose: () => void }) {
  const making = useMutation({
    mutationFn: () => call('post', '/api/admin/users/{id}/password-link', { path: { id: user.id } }),
  });
  const sending = useMutation({
    mutationFn: () => call('post', '/api/admin/users/{id}/password-link/send', { path: { id: user.id } }),
  });
  if (sending.isSuccess)
    return (
      <ShownOnce done={TEXT.done} onClose={onClose}>
        <Alert variant="outline" color="indigo" title={TEXT.sent(sending.data.email)} role="status" my="sm">
          <Text size="sm">{TEXT.sentHint}</Text>
        </Alert>
      </ShownOnce>
    );
  if (making.isSuccess)
    return (
      <ShownOnce done={TEXT.done} onClose={onClose}>
        <Alert variant="outline" color="indigo" title={TEXT.created} role="status" my="sm">
          <Text size="sm">{TEXT.hint}</Text>
          <CopyText text={making.data.url} label={TEXT.label} />
          <Text size="sm" mt="xs">
            {TEXT.expires} <TimeText at={making.data.expiresAt} />
          </Text>
        </Alert>
      </ShownOnce>
    );
  return (
    <Stack gap="sm">
      {making.isError && <FailureNotice error={making.error} />}
      {sending.isError && <FailureNotice error={sending.error} />}
      <Text size="sm">{TEXT.consequence(user.username)}</Text>
      {user.canSendPasswordLink && <Text size="sm">{TEXT.recipient(user.email)}</Text>}
      <Group grow>
        {user.canSendPasswordLink && (
          <Button
            data-autofocus
            loading={sending.isPending}
            disabled={making.isPending}
            onClick={() => sending.mutate()}
          >
            {TEXT.send}
          </Button>
        )}
        <Button
          data-autofocus={!user.canSendPasswordLink || undefined}
          variant={user.canSendPasswordLink ? 'default' : 'filled'}
          loading={making.isPending}
          disabled={sending.isPending}
          onClick={() => making.mutate()}
        >
          {TEXT.create}
        </Button>
      </Group>
    </Stack>
  );
}
