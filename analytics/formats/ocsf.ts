import type { Format } from './format.ts';
import { ocsfDetection } from './ocsf-detection.ts';
import { ocsfEvent } from './ocsf-event.ts';

/** Open Cybersecurity Schema Framework 1.8: one event per line. A detection is a Detection Finding. */
export const ocsf: Format = {
  name: 'ocsf',
  contentType: 'application/x-ndjson',
  terminator: '\n',
  event: (record) => JSON.stringify(ocsfEvent(record)),
  detection: (detection) => JSON.stringify(ocsfDetection(detection)),
};
