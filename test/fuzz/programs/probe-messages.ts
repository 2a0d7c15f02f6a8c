/** Time without an answer, from the answer before it to the one after it. */
export interface Gap {
  readonly target: string;
  /** ms since the epoch. */
  readonly from: number;
  readonly ms: number;
  /** The longest time without an answer of the bare server within it. */
  readonly bareMs: number;
  /** The longest time by which a timer of the probe itself was late within it. */
  readonly lateMs: number;
  /** Time within it that the main thread of the service could run and had no processor, as processes outside of the service used them. */
  readonly waitedMs: number;
  /** No answer has come yet. */
  readonly open: boolean;
}

export interface TargetReport {
  readonly answers: number;
  /** Statuses other than 200, and failed connections, with their counts. */
  readonly refused: Readonly<Record<string, number>>;
  /** The first answer with each of these statuses. */
  readonly refusals: Readonly<Record<string, string>>;
  readonly longest: Gap | undefined;
  /** The longest gap without the time waited for a processor. */
  readonly longestOwn: Gap | undefined;
  readonly slowestAnswerMs: number;
}

export interface ProbeReport {
  readonly targets: Readonly<Record<string, TargetReport>>;
  /** Gaps beyond the budget that began or grew since the report before. */
  readonly over: readonly Gap[];
  readonly latestMs: number;
}

export interface ProbeTask {
  /** Name and URL of each endpoint; `bare` is the bare server. */
  readonly targets: Readonly<Record<string, string>>;
  readonly budgetMs: number;
  /** The process of the service. */
  readonly pid: number;
}
