import { apiAndLimits } from './api-and-limits.ts';
import { detections } from './detections.ts';
import { detectors } from './detectors.ts';
import { executions } from './executions.ts';
import { pipelineHealth } from './pipeline-health.ts';
import { serviceLevels } from './service-levels.ts';

/** Dashboards by the name of their file. */
export const BOARDS = {
  'pipeline-health': pipelineHealth,
  detections,
  'api-and-limits': apiAndLimits,
  executions,
  detectors,
  'service-levels': serviceLevels,
} as const;
