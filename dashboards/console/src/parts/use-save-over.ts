import { useState } from 'react';
import { isOvertaken } from '../api/failure.ts';

/** A change that is being saved, and what became of it. */
export interface SaveOver<Stored> {
  readonly busy: boolean;
  /** What somebody else made of it meanwhile: nothing of one's own is saved then. */
  readonly now: Stored | undefined;
  readonly failure: unknown;
  /** Saves over this, and over nothing else. */
  readonly attempt: (over: Stored) => Promise<void>;
  readonly leaveIt: () => void;
}

/** Saves what others change too, over nobody's unseen change. `save` rejects when it was made upon something older; `read` tells what is there. */
export function useSaveOver<Stored>({
  save,
  read,
}: {
  readonly save: (over: Stored) => Promise<unknown>;
  readonly read: () => Promise<Stored>;
}): SaveOver<Stored> {
  const [busy, setBusy] = useState(false);
  const [now, setNow] = useState<Stored>();
  const [failure, setFailure] = useState<unknown>();

  async function attempt(over: Stored) {
    setBusy(true);
    setNow(undefined);
    setFailure(undefined);
    try {
      await save(over);
    } catch (error) {
      if (isOvertaken(error)) await read().then(setNow, setFailure);
      else setFailure(error);
    } finally {
      setBusy(false);
    }
  }
  return { busy, now, failure, attempt, leaveIt: () => setNow(undefined) };
}
