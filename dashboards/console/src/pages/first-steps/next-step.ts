/** What this installation has so far; undefined: this role does not see it. */
export interface WhatIsThere {
  readonly keys: number;
  readonly workflows: boolean;
  /** Whether any event has landed. */
  readonly events: boolean | undefined;
  /** Whether one came from a host that is neither of the demo nor of the test event. */
  readonly detector: boolean | undefined;
}

/** `unseen`: this role can't tell. */
export type StepState = 'done' | 'next' | 'later' | 'unseen';

const STEPS = ['key', 'event', 'detector', 'workflow'] as const;
type StepName = (typeof STEPS)[number];

/** Which steps are done, and which is next: the first that is not. */
export function statesOf({ keys, events, detector, workflows }: WhatIsThere): Record<StepName, StepState> {
  const done: Record<StepName, boolean | undefined> = {
    key: keys > 0,
    event: events,
    detector,
    workflow: workflows,
  };
  const next = STEPS.find((step) => done[step] === false);
  const stateOf = (step: StepName): StepState => {
    if (done[step] === undefined) return 'unseen';
    if (done[step]) return 'done';
    return step === next ? 'next' : 'later';
  };
  return {
    key: stateOf('key'),
    event: stateOf('event'),
    detector: stateOf('detector'),
    workflow: stateOf('workflow'),
  };
}
