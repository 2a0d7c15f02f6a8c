import { ecsDetection } from './ecs-detection.ts';
import { ecsEvent } from './ecs-event.ts';
import type { Format } from './format.ts';

/** Elastic Common Schema 9.4: one document per line. Fields that the schema does not define are under `trapline.*`. */
export const ecs: Format = {
  name: 'ecs',
  contentType: 'application/x-ndjson',
  terminator: '\n',
  event: (record) => JSON.stringify(ecsEvent(record)),
  detection: (detection) => JSON.stringify(ecsDetection(detection)),
};
