import { Button, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { isOvertaken } from '../../api/failure.ts';
import { ForeignChanges } from '../../parts/foreign-changes.tsx';
import { Overtaken } from '../../parts/overtaken.tsx';
import { Section } from '../../parts/section.tsx';
import { showDone } from '../../parts/show-failure.tsx';
import type { Output } from './output.ts';
import { changeOf, definitionText, draftOf, type OutputDraft } from './output-draft.ts';
import { OutputForm } from './output-form.tsx';

/** Changes an output, over nobody's unseen change. */
export function EditOutput({ output, onDone }: { readonly output: Output; readonly onDone: () => void }) {
  const queries = useQueryClient();
  const { id, secrets } = output;
  /** What the form was begun upon: its changes are what differs from it, whatever came in meanwhile. */
  const [base] = useState(output);
  const [now, setNow] = useState<Output>();
  const saving = useMutation({
    mutationFn: ({ draft, etag }: { readonly draft: OutputDraft; readonly etag: string }) =>
      call('patch', '/api/outputs/{id}', {
        path: { id },
        headers: { 'if-match': etag },
        body: changeOf(base, draft),
      }),
    onMutate: () => setNow(undefined),
    async onError(error) {
      if (isOvertaken(error)) setNow(await call('get', '/api/outputs/{id}', { path: { id } }));
    },
    onSuccess: (changed) => {
      queries.setQueryData(['outputs', id], changed);
      void queries.invalidateQueries({ queryKey: ['outputs'] });
      showDone('It is changed. What waits is sent by the new definition, at once.');
      onDone();
    },
  });
  return (
    <Section title="Edit">
      <Text size="sm" mb="sm">
        It keeps its place. A new receiver needs its secrets again.
      </Text>
      {now !== undefined && saving.variables !== undefined && (
        <Overtaken
          busy={saving.isPending}
          onInsist={() => saving.mutate({ draft: saving.variables.draft, etag: now.etag })}
          onYield={() => {
            queries.setQueryData(['outputs', id], now);
            onDone();
          }}
        >
          <ForeignChanges
            before={definitionText(base)}
            now={definitionText(now)}
            unseen="A secret was replaced, or it was changed and changed back."
          />
        </Overtaken>
      )}
      <OutputForm
        begin={draftOf(base)}
        set={secrets}
        action="Save"
        error={now === undefined ? saving.error : null}
        busy={saving.isPending}
        onSave={(draft) => saving.mutate({ draft, etag: base.etag })}
      >
        <Button variant="default" onClick={onDone}>
          Leave it as it is
        </Button>
      </OutputForm>
    </Section>
  );
}
