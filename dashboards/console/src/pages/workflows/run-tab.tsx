import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { isRecord } from '../../parts/run-form/json.ts';
import { RunForm } from '../../parts/run-form/run-form.tsx';
import { startRun } from '../../parts/run-form/start-run.ts';
import { type Workflow, workflowKey } from './queries.ts';

export function RunTab({ workflow: { name, definition } }: { readonly workflow: Workflow }) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  return (
    <RunForm
      schema={inputSchemaOf(definition)}
      onRun={async (given) => {
        const executionId = await startRun('workflows', name, given);
        void queries.invalidateQueries({ queryKey: [...workflowKey(name), 'executions'] });
        await navigate({ to: '/executions/$id', params: { id: executionId } });
      }}
    />
  );
}

/** Returns `input.schema.document` of the definition. */
export function inputSchemaOf({ input }: Workflow['definition']): unknown {
  const schema = isRecord(input) ? input.schema : undefined;
  return isRecord(schema) ? schema.document : undefined;
}
