import { Button, Loader, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { call } from '../../../api/client.ts';
import { EditOutput } from '../../../pages/outputs/edit-output.tsx';
import { OutputFacts } from '../../../pages/outputs/output-facts.tsx';
import { outputKindsQuery } from '../../../pages/outputs/output-kinds.ts';
import { OutputTest } from '../../../pages/outputs/output-test.tsx';
import { RefusedMessages } from '../../../pages/outputs/refused-messages.tsx';
import { OUTPUT_TEXT } from '../../../pages/outputs/text.ts';
import { AdminsOnly } from '../../../parts/admins-only.tsx';
import { Confirm } from '../../../parts/confirm.tsx';
import { FailureNotice } from '../../../parts/failure-notice.tsx';
import { Page } from '../../../parts/page.tsx';
import { showDone, showFailure } from '../../../parts/show-failure.tsx';

export const Route = createFileRoute('/_signed-in/outputs/$id')({
  component: OutputPage,
});

function OutputPage() {
  return (
    <AdminsOnly>
      <OneOutput />
    </AdminsOnly>
  );
}

function OneOutput() {
  const { id } = Route.useParams();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [editing, edit] = useDisclosure();
  const [deleting, deletion] = useDisclosure();
  const output = useQuery({
    queryKey: ['outputs', id],
    queryFn: ({ signal }) => call('get', '/api/outputs/{id}', { signal, path: { id } }),
  });
  const kinds = useQuery(outputKindsQuery);
  const kind = kinds.data?.find(({ type }) => type === output.data?.type);
  const switching = useMutation({
    mutationFn: (enabled: boolean) => call('patch', '/api/outputs/{id}', { path: { id }, body: { enabled } }),
    onSuccess: async (changed) => {
      queries.setQueryData(['outputs', id], changed);
      await queries.invalidateQueries({ queryKey: ['outputs', id, 'deliveries'] });
      showDone(changed.enabled ? OUTPUT_TEXT.resumed : OUTPUT_TEXT.paused);
    },
    onError: showFailure,
  });
  if (!output.isSuccess || kind === undefined) {
    const failed = [output, kinds].find(({ isError }) => isError);
    return (
      <Page title={OUTPUT_TEXT.title}>
        {failed === undefined ? (
          <Loader size="sm" aria-label={OUTPUT_TEXT.loading} />
        ) : (
          <FailureNotice error={failed.error} onRetry={() => void failed.refetch()} />
        )}
      </Page>
    );
  }
  const { name, enabled } = output.data;
  return (
    <Page
      title={OUTPUT_TEXT.outputTitle(name)}
      actions={
        <>
          <Button variant="default" loading={switching.isPending} onClick={() => switching.mutate(!enabled)}>
            {enabled ? OUTPUT_TEXT.actions.pause : OUTPUT_TEXT.actions.resume}
          </Button>
          <Button variant="default" aria-expanded={editing} onClick={edit.toggle}>
            {OUTPUT_TEXT.actions.edit}
          </Button>
          <Button variant="default" c="var(--mantine-color-error)" onClick={deletion.open}>
            {OUTPUT_TEXT.actions.delete}
          </Button>
        </>
      }
    >
      <Stack gap={0}>
        {editing && <EditOutput output={output.data} kind={kind} onDone={edit.close} />}
        <OutputFacts output={output.data} kind={kind} />
        <OutputTest id={id} />
        <RefusedMessages id={id} />
      </Stack>
      <Confirm
        opened={deleting}
        title={OUTPUT_TEXT.deletion.title(name)}
        action={OUTPUT_TEXT.deletion.action}
        onClose={deletion.close}
        onConfirm={async () => {
          await call('delete', '/api/outputs/{id}', { path: { id } });
          await navigate({ to: '/outputs' });
          queries.removeQueries({ queryKey: ['outputs', id] });
          await queries.invalidateQueries({ queryKey: ['outputs'], exact: true });
          showDone(OUTPUT_TEXT.deletion.done(name));
        }}
      >
        {OUTPUT_TEXT.deletion.consequence}
      </Confirm>
    </Page>
  );
}
