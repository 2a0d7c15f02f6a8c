import { ForeignChanges } from './foreign-changes.tsx';
import { Overtaken } from './overtaken.tsx';
import type { SaveOver } from './use-save-over.ts';

/** What somebody else changed while one's own change was made, and whether to save over it; nothing while nobody did. */
export function OvertakenSave<Stored>({
  of: { busy, now, attempt, leaveIt },
  base,
  textOf,
  title,
  unseen,
  onYield,
}: {
  readonly of: SaveOver<Stored>;
  /** What the change was begun upon. */
  readonly base: Stored;
  readonly textOf: (stored: Stored) => string;
  readonly title?: string;
  readonly unseen?: string;
  /** Takes what is there now; one's own change is given up. */
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
