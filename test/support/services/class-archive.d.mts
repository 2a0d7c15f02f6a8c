/** A Java service: the arguments of `java`, a check that it serves, and its use as in tests. */
export interface TrainedService {
  readonly args: readonly string[];
  serves(): Promise<boolean>;
  use(): Promise<void>;
}
export function makeClassArchive(archive: string, prepare: (folder: string) => Promise<TrainedService>): Promise<void>;
