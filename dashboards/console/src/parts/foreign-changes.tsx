import { Text } from '@mantine/core';
import { DiffView } from './diff/diff-view.tsx';
import { lineDiff } from './diff/line-diff.ts';
import { PARTS_TEXT } from './text.ts';

/** Lines that another user removed and added since the text was loaded. */
export function ForeignChanges({
  before,
  now,
  unseen = PARTS_TEXT.conflict.noChanges,
}: {
  readonly before: string;
  readonly now: string;
  /** Shown if there are no differences. */
  readonly unseen?: string;
}) {
  const lines = lineDiff(before, now).filter(({ kind }) => kind !== 'same');
  if (lines.length === 0) return <Text size="sm">{unseen}</Text>;
  return <DiffView label={PARTS_TEXT.conflict.changes} lines={lines} />;
}
