import { Alert, Text } from '@mantine/core';
import { TimeText } from '../../parts/time/time-text.tsx';
import type { Suspension } from './queries.ts';
import { EXECUTIONS_TEXT } from './text.ts';

const TEXT = EXECUTIONS_TEXT.suspension;

/** Start of a suspension, or a notice that tasks in progress must finish first. */
export function SuspensionAlert({ suspension }: { readonly suspension: Suspension }) {
  const { suspendedAt, requestedAt } = suspension;
  return (
    <Alert variant="outline" mb="sm" title={suspendedAt === null ? TEXT.suspending : TEXT.suspended}>
      <Text size="sm">
        {suspendedAt === null ? TEXT.requested : TEXT.since}
        <TimeText at={suspendedAt ?? requestedAt} ago />
      </Text>
      <Text size="sm" c="dimmed">
        {TEXT.hint}
      </Text>
    </Alert>
  );
}
