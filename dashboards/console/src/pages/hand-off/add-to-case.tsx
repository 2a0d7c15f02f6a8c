import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { HAND_OFF_TEXT } from './text.ts';

/** Loaded when it is opened. The list of detections, the first page, does not need it. */
const AddDialog = lazy(async () => ({ default: (await import('./add-dialog.tsx')).AddDialog }));

/** A button that adds detections to a case. */
export function AddToCase({
  detections,
  disabled = false,
  onAdded,
}: {
  readonly detections: readonly string[];
  readonly disabled?: boolean;
  readonly onAdded?: () => void;
}) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button size="compact-sm" variant="default" disabled={disabled} onClick={() => setOpened(true)}>
        {HAND_OFF_TEXT.addToCase.action}
      </Button>
      {opened && (
        <Suspense>
          <AddDialog
            detections={detections}
            onClose={() => setOpened(false)}
            onAdded={() => {
              setOpened(false);
              onAdded?.();
            }}
          />
        </Suspense>
      )}
    </>
  );
}
