import { List, Title } from '@mantine/core';
import { withCode } from '../with-code.tsx';

/** One of the two lists of a runbook, with its heading. Empty if it has no items. */
export function RunbookSteps({
  title,
  steps,
  ordered = false,
}: {
  readonly title: string;
  readonly steps: readonly string[];
  readonly ordered?: boolean;
}) {
  if (steps.length === 0) return null;
  return (
    <>
      <Title order={3} size="h6" mb={4}>
        {title}
      </Title>
      <List size="sm" type={ordered ? 'ordered' : 'unordered'} mb="sm" spacing={4}>
        {steps.map((step) => (
          <List.Item key={step}>{withCode(step)}</List.Item>
        ))}
      </List>
    </>
  );
}
