import type { Answer } from '../../api/operations.ts';

export type Output = Answer<'get', '/api/outputs/{id}'>;
export type Deliveries = Answer<'get', '/api/outputs/{id}/deliveries'>;
export type RefusedMessage = Deliveries['deadLetters']['data'][number];
export type OutputFilter = Output['filter'];
