import { Button, Group, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Body, call } from '../../api/client.ts';
import { CodeEditor } from '../../parts/code-editor.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { Section } from '../../parts/section.tsx';
import { showDone } from '../../parts/show-failure.tsx';
import { EVALUATION_TEXT } from './evaluation-text.ts';
import { checksQuery } from './experiment-queries.ts';

const TEXT = EVALUATION_TEXT.checks;
type Checks = NonNullable<Body<'put', '/api/v1/agents/{agentId}/checks'>>['checks'];

/** The checks that apply to every run of a test case, as JSON. */
export function ChecksSection({ agentId }: { readonly agentId: string }) {
  const { data, error, refetch } = useQuery(checksQuery(agentId));
  if (data === undefined) return error ? <FailureNotice error={error} onRetry={() => void refetch()} /> : null;
  const stored = JSON.stringify(data.checks, null, 2);
  return <Form key={stored} agentId={agentId} stored={stored} />;
}

function Form({ agentId, stored }: { readonly agentId: string; readonly stored: string }) {
  const queries = useQueryClient();
  const [text, setText] = useState(stored);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();

  async function save() {
    setBusy(true);
    setFailure(undefined);
    try {
      const body = { checks: JSON.parse(text) as Checks };
      await call('put', '/api/v1/agents/{agentId}/checks', { path: { agentId }, body });
      await queries.invalidateQueries({ queryKey: checksQuery(agentId).queryKey });
      showDone(TEXT.saved);
    } catch (wrong) {
      setFailure(wrong);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Section title={TEXT.title}>
      <Text size="sm" c="dimmed" mb="xs">
        {TEXT.hint}
      </Text>
      <CodeEditor label={TEXT.label} value={text} onChange={setText} />
      {failure instanceof SyntaxError ? (
        <div role="alert">{EVALUATION_TEXT.invalidJson(failure.message)}</div>
      ) : (
        failure !== undefined && <FailureNotice error={failure} />
      )}
      <Group mt="sm">
        <Button variant="default" onClick={() => void save()} loading={busy} disabled={text === stored}>
          {TEXT.save}
        </Button>
      </Group>
    </Section>
  );
}
