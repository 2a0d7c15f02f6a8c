import { Button, Group, NativeSelect, SegmentedControl, SimpleGrid, Stack, Text, Textarea, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { DiffView } from '../../parts/diff/diff-view.tsx';
import { lineDiff } from '../../parts/diff/line-diff.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { JsonText } from '../../parts/json-text.tsx';
import { choiceParam } from '../../parts/search-params.ts';
import { showDone } from '../../parts/show-failure.tsx';
import { TimeText } from '../../parts/time/time-text.tsx';
import { type AgentExecution, agentExecutionKey } from './queries.ts';
import { AGENT_RUNS_TEXT } from './runs-text.ts';
import { FEEDBACK_STATES } from './search.ts';

const RATINGS = ['pass', 'partial', 'fail'] as const;

const TEXT = AGENT_RUNS_TEXT.review;

/** Review of a run: rating, comment, and a comparison of expected and actual output. Long: the markup of one form. */
export function ReviewTab({ execution }: { readonly execution: AgentExecution }) {
  const { id, feedback, expected, output } = execution;
  const [rating, setRating] = useState<string>(feedback?.rating ?? '');
  const [status, setStatus] = useState<string>(feedback?.status ?? 'open');
  const [body, setBody] = useState(feedback?.body ?? '');
  const [wanted, setWanted] = useState(() => textOf(expected));
  const [wrong, setWrong] = useState<string>();
  const [failure, setFailure] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const [asking, setAsking] = useState(false);
  const queries = useQueryClient();
  const path = { executionId: id };
  const read = parse(wanted);

  async function save() {
    setFailure(undefined);
    setWrong('wrong' in read ? read.wrong : undefined);
    if ('wrong' in read) return;
    setBusy(true);
    try {
      await call('patch', '/api/v1/agents/executions/{executionId}/feedback', {
        path,
        body: {
          body,
          rating: choiceParam(rating, RATINGS) ?? null,
          status: choiceParam(status, FEEDBACK_STATES) ?? 'open',
          expected: read.value,
        },
      });
      await queries.invalidateQueries({ queryKey: agentExecutionKey(id) });
      showDone(TEXT.saved);
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Stack gap="md">
      <Group align="flex-end" gap="md">
        <div>
          <Text size="sm" fw={500} id="rating">
            {TEXT.rating}
          </Text>
          <SegmentedControl
            aria-labelledby="rating"
            value={rating}
            onChange={setRating}
            data={[
              { value: '', label: TEXT.noRating },
              ...RATINGS.map((value) => ({ value, label: AGENT_RUNS_TEXT.runs.ratings[value] ?? value })),
            ]}
          />
        </div>
        <NativeSelect
          label={TEXT.status}
          value={status}
          data={FEEDBACK_STATES.map((value) => ({ value, label: AGENT_RUNS_TEXT.runs.reviews[value] ?? value }))}
          onChange={(event) => setStatus(event.currentTarget.value)}
        />
        {feedback?.updatedAt && (
          <Text size="sm" c="dimmed">
            {TEXT.changed}
            <TimeText at={feedback.updatedAt} ago />
            {feedback.resolvedByEmail !== null && TEXT.resolvedBy(feedback.resolvedByEmail)}
          </Text>
        )}
      </Group>
      <Textarea
        label={TEXT.comment}
        autosize
        minRows={2}
        maxLength={20_000}
        value={body}
        onChange={(event) => setBody(event.currentTarget.value)}
      />
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <div>
          <Textarea
            label={TEXT.expected}
            description={TEXT.expectedHint}
            autosize
            minRows={8}
            maxRows={28}
            spellCheck={false}
            classNames={{ input: 'tl-mono' }}
            value={wanted}
            error={wrong}
            onChange={(event) => setWanted(event.currentTarget.value)}
          />
          <Button mt="xs" size="compact" variant="default" onClick={() => setWanted(textOf(output))}>
            {TEXT.useOutput}
          </Button>
        </div>
        <section aria-label={TEXT.actual}>
          <Title order={2} size="h6">
            {TEXT.actual}
          </Title>
          <JsonText value={JSON.stringify(output, null, 2)} label={TEXT.output} />
        </section>
      </SimpleGrid>
      {!('wrong' in read) && read.value !== null && (
        <section aria-label={TEXT.comparison}>
          <Title order={2} size="h6" mb={4}>
            {TEXT.legend}
          </Title>
          <DiffView lines={lineDiff(textOf(read.value), textOf(output))} label={TEXT.difference} />
        </section>
      )}
      {failure !== undefined && <FailureNotice error={failure} />}
      <Group>
        <Button loading={busy} onClick={save}>
          {TEXT.save}
        </Button>
        {feedback !== null && feedback !== undefined && (
          <Button variant="default" onClick={() => setAsking(true)}>
            {TEXT.remove}
          </Button>
        )}
      </Group>
      <Confirm
        opened={asking}
        title={TEXT.removeTitle}
        action={TEXT.removeAction}
        onClose={() => setAsking(false)}
        onConfirm={async () => {
          await call('delete', '/api/v1/agents/executions/{executionId}/feedback', { path });
          await queries.invalidateQueries({ queryKey: agentExecutionKey(id) });
          showDone(TEXT.removed);
        }}
      >
        {TEXT.removeConsequence}
      </Confirm>
    </Stack>
  );
}

/** Returns JSON with sorted keys, so that the order of members does not matter. */
function textOf(value: unknown): string {
  return value === null || value === undefined ? '' : JSON.stringify(sorted(value), null, 2);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, inner]) => [name, sorted(inner)]));
}

function parse(text: string): { readonly value: unknown } | { readonly wrong: string } {
  if (text.trim() === '') return { value: null };
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    return { wrong: error instanceof Error ? error.message : TEXT.json };
  }
}
