import { Loader, Switch, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { exceptionPolicyQuery } from '../../api/exceptions.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { Section } from '../../parts/section.tsx';
import { showDone, showFailure } from '../../parts/show-failure.tsx';
import { EXCEPTIONS_TEXT } from './text.ts';

const TEXT = EXCEPTIONS_TEXT.policy;

/** Setting whether analysts may create exceptions. Administrators can change it, and analysts can read it. */
export function PolicySection({ editable }: { readonly editable: boolean }) {
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery(exceptionPolicyQuery);
  const saving = useMutation({
    mutationFn: (analysts: 'create' | 'request') =>
      call('patch', '/api/exceptions/policy', {
        body: { analysts },
        ...(data === undefined ? {} : { headers: { 'if-match': data.etag } }),
      }),
    onSuccess(changed) {
      queries.setQueryData(exceptionPolicyQuery.queryKey, changed);
      showDone(TEXT.changed[changed.analysts]);
    },
    async onError(failure) {
      showFailure(failure);
      await refetch();
    },
  });
  return (
    <Section title={TEXT.title}>
      {error !== null && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Loader size="sm" aria-label={TEXT.loading} />}
      {data !== undefined && (
        <>
          {editable && (
            <Switch
              mb="xs"
              size="sm"
              label={TEXT.analysts}
              checked={data.analysts === 'create'}
              disabled={saving.isPending}
              onChange={({ currentTarget }) => saving.mutate(currentTarget.checked ? 'create' : 'request')}
            />
          )}
          <Text size="sm" c="dimmed">
            {TEXT[data.analysts]}
          </Text>
        </>
      )}
    </Section>
  );
}
