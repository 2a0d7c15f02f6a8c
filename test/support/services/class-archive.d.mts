/** What is started with `java`, how it is asked whether it serves, and what a test does with it. */
export interface TrainedService {
  readonly args: readonly string[];
  serves(): Promise<boolean>;
  use(): Promise<void>;
}
export function makeClassArchive(archive: string, prepare: (folder: string) => Promise<TrainedService>): Promise<void>;
