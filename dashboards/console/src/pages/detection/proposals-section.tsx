import { Button, Group, Stack, Text } from '@mantine/core';
import { Section } from '../../parts/section.tsx';
import { TimeText } from '../../parts/time/time-text.tsx';
import { visible } from '../../parts/visible.ts';
import { changeText } from './change-text.ts';
import type { Detection } from './detection-types.ts';
import { DETECTION_TEXT } from './text.ts';
import { type Proposal, useProposals } from './use-proposals.ts';

const TEXT = DETECTION_TEXT.proposals;
const NAMES = ['status', 'verdict', 'assignee', 'note'] as const;

/**
 * Changes that assistants propose, with buttons to accept or decline. Empty if none is open. Attackers may control
 * parts of the texts.
 */
export function ProposalsSection({ of, etag }: { readonly of: Detection; readonly etag: string | null }) {
  const { open, busy, accept, decline } = useProposals(of.id, etag);
  if (open.length === 0) return null;
  return (
    <Section title={TEXT.title}>
      <Stack gap="md">
        {open.map((proposal) => (
          <Group key={proposal.id} justify="space-between" align="flex-start" gap="sm">
            <div style={{ flex: '1 1 18rem', minWidth: 0 }}>
              {linesOf(of, proposal).map((line) => (
                <Text key={line} size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
                  {visible(line)}
                </Text>
              ))}
              <Text size="sm" my={4} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
                {visible(proposal.reason)}
              </Text>
              <Text size="xs" c="dimmed">
                {TEXT.by(proposal.username ?? proposal.actor, proposal.actor)}, <TimeText at={proposal.createdAt} ago />
              </Text>
            </div>
            <Group gap="xs">
              <Button size="compact-sm" disabled={busy} onClick={() => void accept(proposal)}>
                {TEXT.accept}
              </Button>
              <Button size="compact-sm" variant="default" disabled={busy} onClick={() => void decline(proposal)}>
                {TEXT.decline}
              </Button>
            </Group>
          </Group>
        ))}
      </Stack>
    </Section>
  );
}

/** Returns one line per field that would change. */
function linesOf(now: Detection, { change }: Proposal): string[] {
  return NAMES.filter((name) => change[name] !== undefined).map((name) => changeText(now, { [name]: change[name] }));
}
