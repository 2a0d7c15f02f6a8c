import { z } from 'zod';
import { newProposalSchema } from '#schemas/api/detections.ts';
import { storableText } from '#schemas/api/storable-text.ts';
import { DETECTION_STATUSES, VERDICTS } from '#schemas/detection.ts';
import { defineTool } from '../tool.ts';
import { apiPath, idField } from '../tool-fields.ts';

export const tool = defineTool({
  title: 'Propose triage of a detection',
  description:
    'Proposes status, verdict, assignee or note of a detection, with a reason. Nothing changes: an analyst accepts or declines the proposal in the console. A new proposal replaces the open one.',
  scope: 'detections:propose',
  effect: 'proposes',
  input: z.strictObject({
    id: idField('the detection, det_…'),
    status: z.enum(DETECTION_STATUSES).optional().describe('Triage status'),
    verdict: z.enum(VERDICTS).optional().describe('Verdict'),
    assignee: storableText(64).optional().describe('Name of the analyst who works on it'),
    note: storableText(4_000).optional().describe('Note for analysts'),
    reason: newProposalSchema.shape.reason,
  }),
  request: ({ id, reason, ...change }) => ({
    method: 'POST',
    path: apiPath`/api/detections/${id}/proposals`,
    body: { change, reason },
  }),
});
