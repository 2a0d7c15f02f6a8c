/** Calls from a lane to its owner. */
export interface LaneOwner {
  /** Everything below `nextOffset` is durable. Failing is harmless: the records are known to be there when they come again. */
  commit(nextOffset: number): Promise<void>;
  /** The lane takes more again. */
  hasRoom(): void;
  /** More is waiting at the source than a batch takes; stays true until nothing is waiting. */
  isBehind(): boolean;
  /** Whether more is being brought now: a batch of a lane that is not fed waits for no company. */
  isFed(): boolean;
  /** An unknown error: the process must end without an acknowledgement. */
  failed(error: unknown): void;
}
