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
import type { OutputKind } from './output-kinds.ts';
import { OUTPUT_TEXT } from './text.ts';

/** Changes an output. Shows a change by another user before it is overwritten. */
export function EditOutput({
  output,
  kind,
  onDone,
}: {
  readonly output: Output;
  readonly kind: OutputKind;
  readonly onDone: () => void;
}) {
  const queries = useQueryClient();
  const { id, secrets } = output;
  /** The output when the form was opened. Only differences from it are saved. */
  const [base] = useState(output);
  const draft = useRef(draftOf(kind, base));
  const saving = useSaveOver<Output>({
    read: () => call('get', '/api/outputs/{id}', { path: { id } }),
    async save({ etag }) {
      const changed = await call('patch', '/api/outputs/{id}', {
        path: { id },
        headers: { 'if-match': etag },
        body: changeOf(kind, base, draft.current),
      });
      queries.setQueryData(['outputs', id], changed);
      void queries.invalidateQueries({ queryKey: ['outputs'] });
      showDone(OUTPUT_TEXT.edit.saved);
      onDone();
    },
  });
  return (
    <Section title={OUTPUT_TEXT.actions.edit}>
      <Text size="sm" mb="sm">
        {OUTPUT_TEXT.edit.hint}
      </Text>
      <OvertakenSave
        of={saving}
        base={base}
        textOf={definitionText}
        unseen={OUTPUT_TEXT.edit.unseenChange}
        onYield={(now) => {
          queries.setQueryData(['outputs', id], now);
          onDone();
        }}
      />
      <OutputForm
        kind={kind}
        begin={draft.current}
        set={secrets}
        action={OUTPUT_TEXT.actions.save}
        error={saving.failure ?? null}
        busy={saving.busy}
        onSave={(given) => {
          draft.current = given;
          void saving.attempt(base);
        }}
      >
        <Button variant="default" onClick={onDone}>
          {OUTPUT_TEXT.actions.cancel}
        </Button>
      </OutputForm>
    </Section>
  );
}
