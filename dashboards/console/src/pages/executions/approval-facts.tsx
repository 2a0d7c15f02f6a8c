import { Stack, Text } from '@mantine/core';
import type { Wait } from './queries.ts';
import { EXECUTIONS_TEXT } from './text.ts';

const TEXT = EXECUTIONS_TEXT.approval;

type Approver = NonNullable<Wait['approval']>['approvers'][number];

/** Users who may decide, who may not, and who have decided. */
export function ApprovalFacts({ wait: { approval, decisions } }: { readonly wait: Wait }) {
  if (approval === null) return null;
  const { approvers, except, count } = approval;
  return (
    <Stack gap={2}>
      <Text size="sm">{TEXT.approvers(approvers.map(approverText))}</Text>
      {except.length > 0 && <Text size="sm">{TEXT.except(except.map((one) => TEXT.exceptions[one]))}</Text>}
      {count > 1 && <Text size="sm">{TEXT.progress(decisions.filter(({ approved }) => approved).length, count)}</Text>}
      {decisions.map(({ by, approved, note }) => (
        <Text size="sm" key={by}>
          {approved ? TEXT.approvedBy(by, note) : TEXT.rejectedBy(by, note)}
        </Text>
      ))}
    </Stack>
  );
}

function approverText(approver: Approver): string {
  if ('user' in approver) return TEXT.user(approver.user);
  return 'team' in approver ? TEXT.team(approver.team) : TEXT.role(approver.role);
}
