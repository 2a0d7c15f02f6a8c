import { Alert, Loader, NativeSelect, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { call } from '../../../api/client.ts';
import { newDraft, newOutputOf, type OutputDraft } from '../../../pages/outputs/output-draft.ts';
import { OutputForm } from '../../../pages/outputs/output-form.tsx';
import { type OutputKind, outputKindsQuery } from '../../../pages/outputs/output-kinds.ts';
import { OUTPUT_TEXT } from '../../../pages/outputs/text.ts';
import { AdminsOnly } from '../../../parts/admins-only.tsx';
import { defined } from '../../../parts/defined.ts';
import { FailureNotice } from '../../../parts/failure-notice.tsx';
import { Page } from '../../../parts/page.tsx';
import { onlyRead, textParam } from '../../../parts/search-params.ts';
import { showDone } from '../../../parts/show-failure.tsx';

export const Route = createFileRoute('/_signed-in/outputs/new')({
  validateSearch: onlyRead((search: Record<string, unknown>): { readonly type?: string | undefined } =>
    defined({ type: textParam(search.type) }),
  ),
  component: NewOutputPage,
});

function NewOutputPage() {
  const kinds = useQuery(outputKindsQuery);
  return (
    <AdminsOnly>
      <Page title={OUTPUT_TEXT.newTitle}>
        {kinds.isPending && <Loader size="sm" aria-label={OUTPUT_TEXT.loadingKinds} />}
        {kinds.isError && <FailureNotice error={kinds.error} onRetry={() => void kinds.refetch()} />}
        {kinds.isSuccess && <NewOutput kinds={kinds.data} />}
      </Page>
    </AdminsOnly>
  );
}

function NewOutput({ kinds }: { readonly kinds: readonly OutputKind[] }) {
  const { type } = Route.useSearch();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const kind = kinds.find((one) => one.type === type) ?? (kinds[0] as OutputKind);
  const creating = useMutation({
    mutationFn: (draft: OutputDraft) => call('post', '/api/outputs', { body: newOutputOf(kind, draft) }),
    onSuccess: async ({ id, name }) => {
      await queries.invalidateQueries({ queryKey: ['outputs'], exact: true });
      showDone(OUTPUT_TEXT.created(name));
      await navigate({ to: '/outputs/$id', params: { id } });
    },
  });
  return (
    <>
      <NativeSelect
        label={OUTPUT_TEXT.form.kind}
        maw="44rem"
        value={kind.type}
        data={kinds.map(({ type: value, label, unavailable }) => ({
          value,
          label: unavailable === null ? label : OUTPUT_TEXT.form.unavailable(label),
        }))}
        onChange={({ currentTarget: { value } }) => {
          creating.reset();
          void navigate({ to: '/outputs/new', search: { type: value }, replace: true });
        }}
      />
      <Text size="sm" my="sm">
        {kind.description} {OUTPUT_TEXT.deliveryGuarantee}
      </Text>
      {kind.unavailable === null ? (
        <OutputForm
          key={kind.type}
          kind={kind}
          begin={newDraft(kind)}
          action={OUTPUT_TEXT.actions.create}
          error={creating.error}
          busy={creating.isPending}
          onSave={creating.mutate}
        />
      ) : (
        <Alert maw="44rem" variant="outline" color="yellow">
          {kind.unavailable}
        </Alert>
      )}
    </>
  );
}
