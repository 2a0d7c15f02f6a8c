import { List, SimpleGrid, Text, Title } from '@mantine/core';
import type { Followed } from '../../parts/execution/follow.ts';
import { LiveLog } from '../../parts/execution/live-log.tsx';
import { hasEnded } from '../../parts/execution/status.tsx';
import { JsonText } from '../../parts/json-text.tsx';
import type { AgentExecution } from './queries.ts';

/** What went in, what came out, where that is not as its example expects, and what it says meanwhile. */
export function ResultTab({
  execution: { input, output, status, evaluation },
  followed,
}: {
  readonly execution: AgentExecution;
  readonly followed: Followed & { readonly connected: boolean };
}) {
  return (
    <>
      {evaluation !== null && evaluation.differences.length > 0 && (
        <section aria-label="Differences">
          <Title order={2} size="h5">
            Not as the example expects
          </Title>
          <List size="sm" mb="md">
            {evaluation.differences.map(({ path, message }) => (
              <List.Item key={`${path} ${message}`}>
                <span className="tl-mono">{path || 'output'}</span>: {message}
              </List.Item>
            ))}
          </List>
        </section>
      )}
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <div>
          <Title order={2} size="h5">
            Input
          </Title>
          <JsonText value={JSON.stringify(input ?? null, null, 2)} label="input" />
        </div>
        <div>
          <Title order={2} size="h5">
            Output
          </Title>
          {status === 'completed' ? (
            <JsonText value={JSON.stringify(output, null, 2)} label="output" />
          ) : (
            <Text c="dimmed">{hasEnded(status) ? 'There is none.' : 'Not yet.'}</Text>
          )}
        </div>
      </SimpleGrid>
      <Title order={2} size="h5" mt="lg" mb="xs">
        Log
      </Title>
      <LiveLog {...followed} />
    </>
  );
}
