import type { Deliveries } from './output.ts';
import { OUTPUT_TEXT } from './text.ts';

const TEXT = OUTPUT_TEXT.states;

export interface DeliveryWords {
  readonly text: string;
  readonly tone: 'good' | 'neutral' | 'warning' | 'bad';
}

/** Returns the state of an output's deliveries as text. */
export function deliveryWords({
  state,
  lag,
  delivered,
  deadLetters,
}: Pick<Deliveries, 'state' | 'lag' | 'delivered' | 'deadLetters'>): DeliveryWords {
  if (state === 'paused') return { text: TEXT.paused, tone: 'warning' };
  if (state === 'retrying') return { text: TEXT.retrying, tone: 'bad' };
  if (state === 'delivering') return { text: TEXT.delivering, tone: 'good' };
  if (lag.messages > 0) return { text: TEXT.pending, tone: 'good' };
  if (deadLetters.data[0]?.state === 'refused')
    return delivered === 0 ? { text: TEXT.refused, tone: 'bad' } : { text: TEXT.someRefused, tone: 'warning' };
  return delivered === 0 ? { text: TEXT.idle, tone: 'neutral' } : { text: TEXT.delivered, tone: 'good' };
}
