import { useState } from 'react';
import { isOvertaken } from '../api/failure.ts';

/** State of a save with conflict detection. */
export interface SaveOver<Stored> {
  readonly busy: boolean;
  /** Another user's version that conflicts with the save. The user's change is not saved. */
  readonly now: Stored | undefined;
  readonly failure: unknown;
  /** Saves if the stored version is still `over`. */
  readonly attempt: (over: Stored) => Promise<void>;
  readonly leaveIt: () => void;
}

/**
 * Saves a shared resource without overwriting unseen changes. `save` rejects if its base is outdated. `read` returns
 * the stored version.
 */
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
