import { Button, Group } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { CodeEditor } from '../../parts/code-editor.tsx';
import { showDone } from '../../parts/show-failure.tsx';
import { DefinitionEditor } from './definition-editor.tsx';
import { type Workflow, workflowKey } from './queries.ts';
import { WORKFLOWS_TEXT } from './text.ts';

const TEXT = WORKFLOWS_TEXT.editor;

/** The definition, read-only until the user edits it. */
export function DefinitionTab({ workflow: { name, yamlContent, etag } }: { readonly workflow: Workflow }) {
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
      <DefinitionEditor
        slug={name}
        initial={yamlContent}
        etag={etag}
        onYield={() => setEditing(false)}
        onReleased={({ released, version, warnings }) => {
          showDone(released ? TEXT.released(version) : TEXT.unchanged(version));
          void queries.invalidateQueries({ queryKey: workflowKey(name) });
          if (warnings.length === 0) setEditing(false);
        }}
      />
    </>
  );
}
