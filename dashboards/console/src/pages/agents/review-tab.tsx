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
import { TimeText } from '../../parts/time-text.tsx';
import { type AgentExecution, agentExecutionKey } from './queries.ts';
import { FEEDBACK_STATES } from './search.ts';

const RATINGS = ['pass', 'partial', 'fail'] as const;

/**
 * What people say about a run, and what its output should have been beside what it is.
 * Long: the markup of one form.
 */
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
      showDone('The feedback is kept');
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
            Rating
          </Text>
          <SegmentedControl
            aria-labelledby="rating"
            value={rating}
            onChange={setRating}
            data={[{ value: '', label: 'None' }, ...RATINGS.map((value) => ({ value, label: value }))]}
          />
        </div>
        <NativeSelect
          label="State of the feedback"
          value={status}
          data={[...FEEDBACK_STATES]}
          onChange={(event) => setStatus(event.currentTarget.value)}
        />
        {feedback?.updatedAt && (
          <Text size="sm" c="dimmed">
            last changed <TimeText at={feedback.updatedAt} ago />
            {feedback.resolvedByEmail !== null && `, resolved by ${feedback.resolvedByEmail}`}
          </Text>
        )}
      </Group>
      <Textarea
        label="What is said about it"
        autosize
        minRows={2}
        maxLength={20_000}
        value={body}
        onChange={(event) => setBody(event.currentTarget.value)}
      />
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <div>
          <Textarea
            label="Expected output"
            description="JSON; empty: nothing is expected"
            autosize
            minRows={8}
            maxRows={28}
            spellCheck={false}
            classNames={{ input: 'tl-mono' }}
            value={wanted}
            error={wrong}
            onChange={(event) => setWanted(event.currentTarget.value)}
          />
          <Button mt="xs" size="compact-sm" variant="default" onClick={() => setWanted(textOf(output))}>
            Expect what came out
          </Button>
        </div>
        <section aria-label="Output as it is">
          <Title order={2} size="h6">
            Output as it is
          </Title>
          <JsonText value={JSON.stringify(output, null, 2)} label="output" />
        </section>
      </SimpleGrid>
      {!('wrong' in read) && read.value !== null && (
        <section aria-label="Comparison">
          <Title order={2} size="h6" mb={4}>
            − expected, + as it is
          </Title>
          <DiffView
            lines={lineDiff(textOf(read.value), textOf(output))}
            label="Difference of expected and actual output"
          />
        </section>
      )}
      {failure !== undefined && <FailureNotice error={failure} />}
      <Group>
        <Button loading={busy} onClick={save}>
          Save
        </Button>
        {feedback !== null && feedback !== undefined && (
          <Button variant="default" onClick={() => setAsking(true)}>
            Take it back …
          </Button>
        )}
      </Group>
      <Confirm
        opened={asking}
        title="Take the feedback back"
        action="Take it back"
        onClose={() => setAsking(false)}
        onConfirm={async () => {
          await call('delete', '/api/v1/agents/executions/{executionId}/feedback', { path });
          await queries.invalidateQueries({ queryKey: agentExecutionKey(id) });
          showDone('The feedback is gone');
        }}
      >
        What was said goes, and what is expected, with its files.
      </Confirm>
    </Stack>
  );
}

/** Members in the order of their names: what differs only in order does not differ. */
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
    return { wrong: error instanceof Error ? error.message : 'JSON is expected' };
  }
}
