import { List, SimpleGrid, Text, Title } from '@mantine/core';
import type { Followed } from '../../parts/execution/follow.ts';
import { LiveLog } from '../../parts/execution/live-log.tsx';
import { hasEnded } from '../../parts/execution/status.tsx';
import { JsonText } from '../../parts/json-text.tsx';
import type { AgentExecution } from './queries.ts';
import { AGENTS_TEXT } from './text.ts';

const TEXT = AGENTS_TEXT.result;

/** Input, output, differences from the expected output, and live log of a run. */
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
        <section aria-label={TEXT.differences}>
          <Title order={2} size="h5">
            {TEXT.differencesTitle}
          </Title>
          <List size="sm" mb="md">
            {evaluation.differences.map(({ path, message }) => (
              <List.Item key={`${path} ${message}`}>
                <span className="tl-mono">{path || TEXT.outputLabel}</span>
                {TEXT.difference(message)}
              </List.Item>
            ))}
          </List>
        </section>
      )}
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <div>
          <Title order={2} size="h5">
            {TEXT.input}
          </Title>
          <JsonText value={JSON.stringify(input ?? null, null, 2)} label={TEXT.inputLabel} />
        </div>
        <div>
          <Title order={2} size="h5">
            {TEXT.output}
          </Title>
          {status === 'completed' ? (
            <JsonText value={JSON.stringify(output, null, 2)} label={TEXT.outputLabel} />
          ) : (
            <Text c="dimmed">{hasEnded(status) ? TEXT.none : TEXT.notYet}</Text>
          )}
        </div>
      </SimpleGrid>
      <Title order={2} size="h5" mt="lg" mb="xs">
        {TEXT.log}
      </Title>
      <LiveLog {...followed} />
    </>
  );
}
