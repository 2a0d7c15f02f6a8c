import { Button, Group, Stack, Text } from '@mantine/core';
import { Section } from '../../parts/section.tsx';
import { TimeText } from '../../parts/time-text.tsx';
import { visible } from '../../parts/visible.ts';
import { changeText } from './change-text.ts';
import type { Detection } from './detection-types.ts';
import { DETECTION_TEXT } from './text.ts';
import { useProposals } from './use-proposals.ts';

const TEXT = DETECTION_TEXT.proposals;

/** Changes that assistants propose, to accept or decline; nothing while none is open. The texts can repeat what an attacker chose. */
export function ProposalsSection({ of, etag }: { readonly of: Detection; readonly etag: string | null }) {
  const { open, busy, accept, decline } = useProposals(of.id, etag);
  if (open.length === 0) return null;
  return (
    <Section title={TEXT.title}>
      <Stack gap="sm">
        {open.map((proposal) => (
          <div key={proposal.id}>
            <Text size="sm">
              <strong>{visible(changeText(of, proposal.change))}</strong>
            </Text>
            <Text size="sm" my={4} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
              {visible(proposal.reason)}
            </Text>
            <Group justify="space-between" gap="xs">
              <Text size="xs" c="dimmed">
                {TEXT.by(proposal.username ?? proposal.actor, proposal.actor)} <TimeText at={proposal.createdAt} ago />
              </Text>
              <Group gap="xs">
                <Button size="compact-sm" variant="default" disabled={busy} onClick={() => void decline(proposal)}>
                  {TEXT.decline}
                </Button>
                <Button size="compact-sm" disabled={busy} onClick={() => void accept(proposal)}>
                  {TEXT.accept}
                </Button>
              </Group>
            </Group>
          </div>
        ))}
      </Stack>
    </Section>
  );
}
