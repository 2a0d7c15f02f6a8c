import type { Deliveries } from './output.ts';

export interface DeliveryWords {
  readonly text: string;
  readonly tone: 'good' | 'neutral' | 'warning' | 'bad';
}

/** How deliveries of an output go, in a few words. Nothing is called delivered of which nothing was. */
export function deliveryWords({
  state,
  lag,
  delivered,
  deadLetters,
}: Pick<Deliveries, 'state' | 'lag' | 'delivered' | 'deadLetters'>): DeliveryWords {
  if (state === 'paused') return { text: 'paused', tone: 'warning' };
  if (state === 'retrying') return { text: 'not taken, retrying', tone: 'bad' };
  if (state === 'delivering') return { text: 'delivering', tone: 'good' };
  if (lag.messages > 0) return { text: 'about to deliver', tone: 'good' };
  if (deadLetters.data[0]?.state === 'refused')
    return delivered === 0 ? { text: 'refused', tone: 'bad' } : { text: 'delivered, but for some', tone: 'warning' };
  return delivered === 0
    ? { text: 'nothing to deliver yet', tone: 'neutral' }
    : { text: 'all delivered', tone: 'good' };
}
