import { List, SimpleGrid, Text } from '@mantine/core';
import type { Followed } from '../../parts/execution/follow.ts';
import { LiveLog } from '../../parts/execution/live-log.tsx';
import { hasEnded } from '../../parts/execution/status.tsx';
import { JsonText } from '../../parts/json-text.tsx';
import { Section } from '../../parts/section.tsx';
import type { AgentExecution } from './queries.ts';
import { AGENT_RUNS_TEXT } from './runs-text.ts';

const TEXT = AGENT_RUNS_TEXT.result;

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
        <Section title={TEXT.differencesTitle}>
          <List size="sm">
            {evaluation.differences.map(({ path, message }) => (
              <List.Item key={`${path} ${message}`}>
                <span className="tl-mono">{path || TEXT.outputLabel}</span>
                {TEXT.difference(message)}
              </List.Item>
            ))}
          </List>
        </Section>
      )}
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="sm">
        <Section title={TEXT.input}>
          <JsonText value={JSON.stringify(input ?? null, null, 2)} label={TEXT.inputLabel} role="group" />
        </Section>
        <Section title={TEXT.output}>
          {status === 'completed' ? (
            <JsonText value={JSON.stringify(output, null, 2)} label={TEXT.outputLabel} role="group" />
          ) : (
            <Text c="dimmed">{hasEnded(status) ? TEXT.none : TEXT.notYet}</Text>
          )}
        </Section>
      </SimpleGrid>
      <Section title={TEXT.log}>
        <LiveLog {...followed} />
      </Section>
    </>
  );
}
