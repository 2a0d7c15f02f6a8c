import { ForeignChanges } from './foreign-changes.tsx';
import { Overtaken } from './overtaken.tsx';
import type { SaveOver } from './use-save-over.ts';

/** Notice of a conflict on save, with the changes of the other user and a button that overwrites them; nothing without a conflict. */
export function OvertakenSave<Stored>({
  of: { busy, now, attempt, leaveIt },
  base,
  textOf,
  title,
  unseen,
  onYield,
}: {
  readonly of: SaveOver<Stored>;
  /** The version that the user started from. */
  readonly base: Stored;
  readonly textOf: (stored: Stored) => string;
  readonly title?: string;
  readonly unseen?: string;
  /** Takes the stored version and drops the own change. */
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
