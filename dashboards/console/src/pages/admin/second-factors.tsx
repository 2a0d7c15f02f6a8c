import { Button, Group, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { useProfile } from '../../app/use-profile.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { showDone } from '../../parts/show-failure.tsx';
import { SECOND_FACTOR_TEXT } from '../second-factor/text.ts';

const TEXT = SECOND_FACTOR_TEXT.admin;

/** Shows a user's second factors, and a button that removes them if the user has lost them. */
export function SecondFactors({
  user: { id, username },
}: {
  readonly user: { readonly id: string; readonly username: string };
}) {
  const own = useProfile().id === id;
  const queries = useQueryClient();
  const [asking, { open, close }] = useDisclosure();
  const queryKey = ['second-factor', id];
  const { data, error } = useQuery({
    queryKey,
    queryFn: ({ signal }) => call('get', '/api/admin/users/{id}/second-factor', { signal, path: { id } }),
  });
  if (error !== null) return <FailureNotice error={error} />;
  if (data === undefined) return null;
  const { totp, passkeys, recoveryCodesLeft } = data;
  return (
    <section aria-label={TEXT.title}>
      <Title order={2} size="h5" mb="xs">
        {TEXT.title}
      </Title>
      <Group>
        <Text size="sm">{TEXT.state(totp, passkeys, recoveryCodesLeft)}</Text>
        {!own && (totp || passkeys > 0) && (
          <Button variant="default" onClick={open}>
            {TEXT.reset}
          </Button>
        )}
      </Group>
      <Confirm
        opened={asking}
        title={TEXT.question(username)}
        action={TEXT.reset}
        onConfirm={async () => {
          await call('delete', '/api/admin/users/{id}/second-factor', { path: { id } });
          showDone(TEXT.done(username));
          await queries.invalidateQueries({ queryKey });
        }}
        onClose={close}
      >
        {TEXT.consequence}
      </Confirm>
    </section>
  );
}
