import { Text } from '@mantine/core';
import { DiffView } from './diff/diff-view.tsx';
import { lineDiff } from './diff/line-diff.ts';

/** The lines that somebody else took away and put there, of what one read. */
export function ForeignChanges({
  before,
  now,
  unseen = 'It says the same as before.',
}: {
  readonly before: string;
  readonly now: string;
  /** What is said when no line differs. */
  readonly unseen?: string;
}) {
  const lines = lineDiff(before, now).filter(({ kind }) => kind !== 'same');
  if (lines.length === 0) return <Text size="sm">{unseen}</Text>;
  return <DiffView label="What somebody else changed" lines={lines} />;
}
