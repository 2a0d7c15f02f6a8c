/** Period without an answer, from one answer to the next. */
export interface Gap {
  readonly target: string;
  /** Start of the gap, ms since the epoch. */
  readonly from: number;
  readonly ms: number;
  /** Longest gap of the bare server within this gap. */
  readonly bareMs: number;
  /** Longest delay of a timer of the probe itself within this gap. */
  readonly lateMs: number;
  /**
   * Time in this gap for which the service's main thread was runnable but had no processor, because other processes
   * used them.
   */
  readonly waitedMs: number;
  /** True while no answer has ended the gap. */
  readonly open: boolean;
}

export interface TargetReport {
  readonly answers: number;
  /** Number of failed connections, and of statuses other than 200, by kind. */
  readonly refused: Readonly<Record<string, number>>;
  /** The first answer with each of these statuses. */
  readonly refusals: Readonly<Record<string, string>>;
  readonly longest: Gap | undefined;
  /** The longest gap after subtraction of the time waited for a processor. */
  readonly longestOwn: Gap | undefined;
  readonly slowestAnswerMs: number;
}

export interface ProbeReport {
  readonly targets: Readonly<Record<string, TargetReport>>;
  /** Gaps beyond the budget that began or grew since the last report. */
  readonly over: readonly Gap[];
  readonly latestMs: number;
}

export interface ProbeTask {
  /** URL of each endpoint by name; `bare` is the bare server. */
  readonly targets: Readonly<Record<string, string>>;
  readonly budgetMs: number;
  /** Process id of the service. */
  readonly pid: number;
}
