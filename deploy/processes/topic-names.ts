import { TOPICS } from '#schemas/topics.ts';
import type { Config } from '../config.ts';

/** Returns the topic names with the configured prefix. */
export function topicNames(config: Pick<Config, 'topicPrefix'>) {
  const prefix = config.topicPrefix;
  return {
    events: prefix + TOPICS.events,
    detections: prefix + TOPICS.detections,
    deadLetters: prefix + TOPICS.deadLetters,
  };
}
