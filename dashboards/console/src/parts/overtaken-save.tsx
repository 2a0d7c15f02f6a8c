import { ForeignChanges } from './foreign-changes.tsx';
import { Overtaken } from './overtaken.tsx';
import type { SaveOver } from './use-save-over.ts';

/**
 * Conflict notice for a save, with the other user's changes and a button that overwrites them. Empty without a
 * conflict.
 */
export function OvertakenSave<Stored>({
  of: { busy, now, attempt, leaveIt },
  base,
  textOf,
  title,
  unseen,
  onYield,
}: {
  readonly of: SaveOver<Stored>;
  /** The version on which the user's change is based. */
  readonly base: Stored;
  readonly textOf: (stored: Stored) => string;
  readonly title?: string;
  readonly unseen?: string;
  /** Uses the stored version and discards the user's change. */
  readonly onYield: (now: Stored) => void;
}) {
  if (now === undefined) return null;
  return (
    <Overtaken
      {...(title === undefined ? {} : { title })}
      busy={busy}
      onInsist={() => void attempt(now)}
      onYield={() => {
        leaveIt();
        onYield(now);
      }}
    >
      <ForeignChanges before={textOf(base)} now={textOf(now)} {...(unseen === undefined ? {} : { unseen })} />
    </Overtaken>
  );
}
