import { Alert, Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';

/** Tells that somebody else changed it since it was read and that nothing of one's own was done; what is new stands in it. */
export function Overtaken({
  title = 'Somebody else changed it a moment ago. Nothing of yours is saved',
  busy,
  onInsist,
  onYield,
  children,
}: {
  readonly title?: string;
  readonly busy: boolean;
  readonly onInsist: () => void;
  readonly onYield: () => void;
  readonly children: ReactNode;
}) {
  return (
    <Alert color="red" variant="outline" role="alert" title={title} mb="sm">
      {children}
      <Group gap="xs" mt="xs">
        <Button size="compact-sm" loading={busy} onClick={onInsist}>
          Do it all the same
        </Button>
        <Button size="compact-sm" variant="default" onClick={onYield}>
          Leave it as it is now
        </Button>
      </Group>
    </Alert>
  );
}
