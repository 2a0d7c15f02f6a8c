import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Confirm } from '../../parts/confirm.tsx';
import { RedriveProgressDialog } from './redrive-progress.tsx';
import { DEAD_LETTERS_TEXT } from './text.ts';
import { type Selection, useRedrive } from './use-redrive.ts';

const TEXT = DEAD_LETTERS_TEXT.retry;

/** Asks for confirmation, retries dead letters and shows the result of each. Closed while `selection` is undefined. */
export function Redrive({
  selection,
  description,
  onClose,
  onStarted,
}: {
  readonly selection: Selection | undefined;
  /** Selected dead letters, as a sentence. */
  readonly description: ReactNode;
  readonly onClose: () => void;
  readonly onStarted?: () => void;
}) {
  const { progress, begin, stop, resume, close } = useRedrive();
  return (
    <>
      <Confirm
        opened={selection !== undefined}
        title={TEXT.title}
        action={TEXT.action}
        destructive={false}
        onConfirm={async () => {
          if (selection === undefined) return;
          begin(selection);
          onStarted?.();
        }}
        onClose={onClose}
      >
        <Text size="sm">
          {description} {TEXT.consequence}
        </Text>
      </Confirm>
      <RedriveProgressDialog progress={progress} onStop={stop} onResume={resume} onClose={close} />
    </>
  );
}
