import { Button, Group, Loader } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { CodeEditor } from '../../parts/code-editor.tsx';
import { showDone } from '../../parts/show-failure.tsx';
import { type Workflow, workflowKey } from './queries.ts';
import { WORKFLOWS_TEXT } from './text.ts';

/** The editor is loaded when it is first opened. */
const WorkflowDraft = lazy(async () => ({ default: (await import('./editor/workflow-draft.tsx')).WorkflowDraft }));
const TEXT = WORKFLOWS_TEXT.editor;

/** The definition, read-only until the user edits it. */
export function DefinitionTab({ workflow }: { readonly workflow: Workflow }) {
  const { name, yamlContent } = workflow;
  const [editing, setEditing] = useState(false);
  const queries = useQueryClient();
  if (!editing)
    return (
      <>
        <Group mb="xs">
          <Button variant="default" onClick={() => setEditing(true)}>
            {TEXT.edit}
          </Button>
        </Group>
        <CodeEditor label={TEXT.label} value={yamlContent} />
      </>
    );
  return (
    <>
      <Group mb="xs">
        <Button variant="default" onClick={() => setEditing(false)}>
          {TEXT.discard}
        </Button>
      </Group>
      <Suspense fallback={<Loader aria-label={WORKFLOWS_TEXT.draft.loading} />}>
        <WorkflowDraft
          workflow={workflow}
          onYield={() => setEditing(false)}
          onReleased={({ released, version, warnings }) => {
            showDone(released ? TEXT.released(version) : TEXT.unchanged(version));
            void queries.invalidateQueries({ queryKey: workflowKey(name) });
            if (warnings.length === 0) setEditing(false);
          }}
        />
      </Suspense>
    </>
  );
}
