/** Set-up state of this installation. Undefined values are not visible to the role of the user. */
export interface WhatIsThere {
  readonly keys: number;
  readonly workflows: boolean;
  /** True if an event is stored. */
  readonly events: boolean | undefined;
  /** True if there is an event from a host other than those of the demo and the test event. */
  readonly detector: boolean | undefined;
}

/** `unseen`: not visible to the role of the user. */
export type StepState = 'done' | 'next' | 'later' | 'unseen';

const STEPS = ['key', 'event', 'detector', 'workflow'] as const;
type StepName = (typeof STEPS)[number];

/** Returns the state of each step. The first step that is not done is next. */
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
