import { createDetectorTokens } from './create-token.ts';
import { createDetectorEnrolment } from './enrol.ts';
import type { DetectorsDeps } from './register-detectors.ts';
import { createDetectorRevocation } from './revoke.ts';

/** Creates the dependencies of the detector routes from parts of the platform. */
export function detectorsDeps(parts: Parameters<typeof createDetectorEnrolment>[0]): DetectorsDeps {
  const { database } = parts;
  return {
    database,
    createToken: createDetectorTokens(parts),
    enrol: createDetectorEnrolment(parts),
    revoke: createDetectorRevocation(parts),
  };
}
