import { Button, Modal, Text } from '@mantine/core';
import { useState } from 'react';
import { showDone, showFailure } from '../../parts/show-failure.tsx';
import { PARTS_TEXT } from '../../parts/text.ts';
import { readMarkdown } from './queries.ts';
import type { Subject } from './subject.ts';
import { HAND_OFF_TEXT } from './text.ts';

const TEXT = HAND_OFF_TEXT.copy;

/** Copies a detection as Markdown. If the browser does not allow it, shows the text. */
export function CopyMarkdown({ subject }: { readonly subject: Subject }) {
  const [shown, setShown] = useState<string>();
  const [busy, setBusy] = useState(false);
  async function copy() {
    setBusy(true);
    try {
      const text = await readMarkdown(subject);
      const copied = await navigator.clipboard?.writeText(text).then(
        () => true,
        () => false,
      );
      if (copied) showDone(TEXT.done);
      else setShown(text);
    } catch (error) {
      showFailure(error);
    } finally {
      setBusy(false);
    }
  }
  return (
    <>
      <Button size="compact-sm" variant="default" loading={busy} onClick={() => void copy()}>
        {TEXT.action}
      </Button>
      <Modal
        opened={shown !== undefined}
        onClose={() => setShown(undefined)}
        size="xl"
        title={TEXT.title}
        closeButtonProps={{ 'aria-label': PARTS_TEXT.close }}
      >
        <Text size="sm">{TEXT.unavailable}</Text>
        <pre role="region" aria-label={TEXT.title} tabIndex={0} className="tl-mono tl-copy-text">
          {shown}
        </pre>
      </Modal>
    </>
  );
}
