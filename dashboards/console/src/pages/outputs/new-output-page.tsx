import { NativeSelect, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { call } from '../../api/client.ts';
import { AdminsOnly } from '../../parts/admins-only.tsx';
import { Page } from '../../parts/page.tsx';
import { showDone } from '../../parts/show-failure.tsx';
import { newDraft, newOutputOf, type OutputDraft } from './output-draft.ts';
import { OUTPUT_FIELDS } from './output-fields.ts';
import { OutputForm } from './output-form.tsx';
import { KINDS, type OutputKind } from './output-kinds.ts';
import { newOutputRoute } from './routes.ts';

export function NewOutputPage() {
  return (
    <AdminsOnly>
      <NewOutput />
    </AdminsOnly>
  );
}

function NewOutput() {
  const { type = 'webhook' } = newOutputRoute.useSearch();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const making = useMutation({
    mutationFn: (draft: OutputDraft) => call('post', '/api/outputs', { body: newOutputOf(draft) }),
    onSuccess: async ({ id, name }) => {
      await queries.invalidateQueries({ queryKey: ['outputs'], exact: true });
      showDone(`${name} is told of detections from now on. Send it a test.`);
      await navigate({ to: '/outputs/$id', params: { id } });
    },
  });
  return (
    <Page title="New output">
      <NativeSelect
        label="Kind"
        maw="44rem"
        value={type}
        data={KINDS.map((kind) => ({ value: kind, label: OUTPUT_FIELDS[kind].label }))}
        onChange={({ currentTarget: { value } }) => {
          making.reset();
          void navigate({ to: '/outputs/new', search: { type: value as OutputKind }, replace: true });
        }}
      />
      <Text size="sm" my="sm">
        {OUTPUT_FIELDS[type].what} It is told of detections from when it is made, in order, until it has taken them.
      </Text>
      <OutputForm
        key={type}
        begin={newDraft(type)}
        action="Make the output"
        error={making.error}
        busy={making.isPending}
        onSave={making.mutate}
      />
    </Page>
  );
}
