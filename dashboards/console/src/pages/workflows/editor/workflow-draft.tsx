import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { DefinitionEditor } from '../definition-editor.tsx';
import type { Workflow } from '../queries.ts';
import type { Released } from '../release.ts';
import { completionsAt } from './completion.ts';
import { DraftPanel } from './draft-panel.tsx';
import { DryRunSection } from './dry-run-section.tsx';
import { schemaQuery } from './queries.ts';

/**
 * Editor of a released definition: text with completions, tasks and chart next to it, a dry run, and a review of the
 * changes before the release.
 */
export function WorkflowDraft({
  workflow: { name, yamlContent, etag },
  onReleased,
  onYield,
}: {
  readonly workflow: Workflow;
  readonly onReleased: (released: Released) => void;
  readonly onYield: () => void;
}) {
  const { data: schema } = useQuery(schemaQuery);
  const complete = useCallback(
    async (text: string, cursor: number) =>
      schema === undefined ? { items: [], from: cursor, to: cursor } : completionsAt(text, cursor, schema),
    [schema],
  );
  return (
    <DefinitionEditor
      slug={name}
      initial={yamlContent}
      etag={etag}
      onReleased={onReleased}
      onYield={onYield}
      complete={complete}
      aside={(draft) => ({
        side: <DraftPanel {...draft} />,
        below: <DryRunSection slug={name} text={draft.text} />,
      })}
    />
  );
}
