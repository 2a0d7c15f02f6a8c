import { Button, Group } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { CodeEditor } from '../../parts/code-editor.tsx';
import { showDone } from '../../parts/show-failure.tsx';
import { DefinitionEditor } from './definition-editor.tsx';
import { type Workflow, workflowKey } from './queries.ts';

/** The definition to read; to change it, one says so. */
export function DefinitionTab({ workflow: { name, yamlContent, etag } }: { readonly workflow: Workflow }) {
  const [editing, setEditing] = useState(false);
  const queries = useQueryClient();
  if (!editing)
    return (
      <>
        <Group mb="xs">
          <Button variant="default" onClick={() => setEditing(true)}>
            Change
          </Button>
        </Group>
        <CodeEditor label="Definition (YAML)" value={yamlContent} />
      </>
    );
  return (
    <>
      <Group mb="xs">
        <Button variant="default" onClick={() => setEditing(false)}>
          Leave without releasing
        </Button>
      </Group>
      <DefinitionEditor
        slug={name}
        initial={yamlContent}
        etag={etag}
        onYield={() => setEditing(false)}
        onReleased={({ released, version, warnings }) => {
          showDone(released ? `Version ${version} is released` : `Nothing changed: this is version ${version}`);
          void queries.invalidateQueries({ queryKey: workflowKey(name) });
          if (warnings.length === 0) setEditing(false);
        }}
      />
    </>
  );
}
