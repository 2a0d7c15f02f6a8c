import { z } from 'zod';
import { defineTool } from '../tool.ts';
import { apiPath, idField } from '../tool-fields.ts';

/** Number of events returned with a detection; `get_evidence` returns all. */
const EVIDENCE = 20;

export const tool = defineTool({
  title: 'Read a detection',
  description: `Returns a detection with the decision about it and its newest ${EVIDENCE} events. get_evidence returns more events.`,
  scope: 'detections:read',
  effect: 'reads',
  input: z.strictObject({ id: idField('the detection, det_…') }),
  request: ({ id }) => ({ method: 'GET', path: apiPath`/api/detections/${id}` }),
  select({ evidence, evidenceComplete, ...detection }) {
    if (!Array.isArray(evidence)) return detection;
    const shown = evidence.slice(0, EVIDENCE);
    return {
      ...detection,
      evidence: shown,
      evidenceComplete: evidenceComplete === true && shown.length === evidence.length,
    };
  },
});
