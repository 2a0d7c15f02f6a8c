import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Confirm } from '../../parts/confirm.tsx';
import { RedriveProgressDialog } from './redrive-progress.tsx';
import { type Selection, useRedrive } from './use-redrive.ts';

/** Asks, sends dead letters through again, and tells what became of each. Closed while `selection` is undefined. */
export function Redrive({
  selection,
  what,
  onClose,
  onBegun,
}: {
  readonly selection: Selection | undefined;
  /** Which they are, in words. */
  readonly what: ReactNode;
  readonly onClose: () => void;
  readonly onBegun?: () => void;
}) {
  const { progress, begin, stop, goOn, close } = useRedrive();
  return (
    <>
      <Confirm
        opened={selection !== undefined}
        title="Send through again?"
        action="Send through again"
        onConfirm={async () => {
          if (selection === undefined) return;
          begin(selection);
          onBegun?.();
        }}
        onClose={onClose}
      >
        <Text size="sm">
          {what} The bytes go through the same checks as when they came. What has landed already is not doubled, and
          what is refused again stays here.
        </Text>
      </Confirm>
      <RedriveProgressDialog progress={progress} onStop={stop} onGoOn={goOn} onClose={close} />
    </>
  );
}
