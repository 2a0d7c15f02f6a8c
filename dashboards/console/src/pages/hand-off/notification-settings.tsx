import { Stack, Switch, Title } from '@mantine/core';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type Body, call } from '../../api/client.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { showDone, showFailure } from '../../parts/show-failure.tsx';
import { HAND_OFF_TEXT } from './text.ts';

const TEXT = HAND_OFF_TEXT.notifications;

const settingsQuery = queryOptions({
  queryKey: ['notification settings'],
  queryFn: ({ signal }) => call('get', '/api/user/notifications', { signal }),
});

/** E-mail notifications of the signed-in account. */
export function NotificationSettings() {
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery(settingsQuery);
  const { mutate, isPending } = useMutation({
    mutationFn: (body: NonNullable<Body<'put', '/api/user/notifications'>>) =>
      call('put', '/api/user/notifications', { body }),
    onSuccess(now) {
      queries.setQueryData(settingsQuery.queryKey, now);
      showDone(TEXT.saved);
    },
    onError: showFailure,
  });
  return (
    <Stack gap="sm">
      <Title order={2} size="h5">
        {TEXT.title}
      </Title>
      {error !== null && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {data !== undefined && (
        <>
          <Switch
            label={TEXT.mentions}
            checked={data.mentions}
            disabled={isPending}
            onChange={({ currentTarget }) => mutate({ ...data, mentions: currentTarget.checked })}
          />
          <Switch
            label={TEXT.assignments}
            checked={data.assignments}
            disabled={isPending}
            onChange={({ currentTarget }) => mutate({ ...data, assignments: currentTarget.checked })}
          />
        </>
      )}
    </Stack>
  );
}
