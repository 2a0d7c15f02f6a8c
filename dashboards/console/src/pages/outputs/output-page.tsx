import { Button, Loader, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { call } from '../../api/client.ts';
import { AdminsOnly } from '../../parts/admins-only.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { Page } from '../../parts/page.tsx';
import { showDone, showFailure } from '../../parts/show-failure.tsx';
import { EditOutput } from './edit-output.tsx';
import { OutputFacts } from './output-facts.tsx';
import { OutputTest } from './output-test.tsx';
import { RefusedMessages } from './refused-messages.tsx';
import { outputRoute } from './routes.ts';

export function OutputPage() {
  return (
    <AdminsOnly>
      <OneOutput />
    </AdminsOnly>
  );
}

function OneOutput() {
  const { id } = outputRoute.useParams();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [editing, edit] = useDisclosure();
  const [removing, remove] = useDisclosure();
  const output = useQuery({
    queryKey: ['outputs', id],
    queryFn: ({ signal }) => call('get', '/api/outputs/{id}', { signal, path: { id } }),
  });
  const switching = useMutation({
    mutationFn: (enabled: boolean) => call('patch', '/api/outputs/{id}', { path: { id }, body: { enabled } }),
    onSuccess: async (changed) => {
      queries.setQueryData(['outputs', id], changed);
      await queries.invalidateQueries({ queryKey: ['outputs', id, 'deliveries'] });
      showDone(changed.enabled ? 'It goes on from where it was.' : 'It is paused and keeps its place.');
    },
    onError: showFailure,
  });
  if (!output.isSuccess)
    return (
      <Page title="Output">
        {output.isPending ? (
          <Loader size="sm" aria-label="Loading the output" />
        ) : (
          <FailureNotice error={output.error} onRetry={() => void output.refetch()} />
        )}
      </Page>
    );
  const { name, enabled } = output.data;
  return (
    <Page
      title={`Output ${name}`}
      actions={
        <>
          <Button
            variant="default"
            size="compact-md"
            loading={switching.isPending}
            onClick={() => switching.mutate(!enabled)}
          >
            {enabled ? 'Pause' : 'Go on'}
          </Button>
          <Button variant="default" size="compact-md" aria-expanded={editing} onClick={edit.toggle}>
            Edit
          </Button>
          <Button color="red" size="compact-md" onClick={remove.open}>
            Remove
          </Button>
        </>
      }
    >
      <Stack gap="xs">
        {editing && <EditOutput output={output.data} onDone={edit.close} />}
        <OutputFacts output={output.data} />
        <OutputTest id={id} />
        <RefusedMessages id={id} />
      </Stack>
      <Confirm
        opened={removing}
        title={`Remove ${name}?`}
        action="Remove it"
        onClose={remove.close}
        onConfirm={async () => {
          await call('delete', '/api/outputs/{id}', { path: { id } });
          await navigate({ to: '/outputs' });
          queries.removeQueries({ queryKey: ['outputs', id] });
          await queries.invalidateQueries({ queryKey: ['outputs'], exact: true });
          showDone(`${name} is removed.`);
        }}
      >
        With it goes what waits for it and what it refused. To stop it for a while, pause it instead.
      </Confirm>
    </Page>
  );
}
