import { Button, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { call } from '../../api/client.ts';
import { OvertakenSave } from '../../parts/overtaken-save.tsx';
import { Section } from '../../parts/section.tsx';
import { showDone } from '../../parts/show-failure.tsx';
import { useSaveOver } from '../../parts/use-save-over.ts';
import type { Output } from './output.ts';
import { changeOf, definitionText, draftOf } from './output-draft.ts';
import { OutputForm } from './output-form.tsx';

/** Changes an output, over nobody's unseen change. */
export function EditOutput({ output, onDone }: { readonly output: Output; readonly onDone: () => void }) {
  const queries = useQueryClient();
  const { id, secrets } = output;
  /** What the form was begun upon: its changes are what differs from it, whatever came in meanwhile. */
  const [base] = useState(output);
  const draft = useRef(draftOf(base));
  const saving = useSaveOver<Output>({
    read: () => call('get', '/api/outputs/{id}', { path: { id } }),
    async save({ etag }) {
      const changed = await call('patch', '/api/outputs/{id}', {
        path: { id },
        headers: { 'if-match': etag },
        body: changeOf(base, draft.current),
      });
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
      <OvertakenSave
        of={saving}
        base={base}
        textOf={definitionText}
        unseen="A secret was replaced, or it was changed and changed back."
        onYield={(now) => {
          queries.setQueryData(['outputs', id], now);
          onDone();
        }}
      />
      <OutputForm
        begin={draft.current}
        set={secrets}
        action="Save"
        error={saving.failure ?? null}
        busy={saving.busy}
        onSave={(given) => {
          draft.current = given;
          void saving.attempt(base);
        }}
      >
        <Button variant="default" onClick={onDone}>
          Leave it as it is
        </Button>
      </OutputForm>
    </Section>
  );
}
