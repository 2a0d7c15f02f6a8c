import { z } from 'zod';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import {
  addDetectionsSchema,
  addedDetectionsSchema,
  caseTaskSchema,
  newTaskSchema,
  taskChangeSchema,
  taskIdSchema,
} from '#schemas/api/cases.ts';
import { detectionIdSchema } from '#schemas/api/detections.ts';
import { changedBy } from '../changed-by.ts';
import { taskRecord } from '../records/records.ts';
import { caseParams } from './cases.ts';
import { CASE_TAGS, type CaseRoutesDeps, READ_ERRORS, refuse, WRITE, WRITE_ERRORS } from './deps.ts';

const taskParams = caseParams.extend({ taskId: taskIdSchema });

/**
 * Routes for detections and tasks of a case.
 * Long: each route includes its description.
 */
export function casePartRoutes(app: ApiServer, { cases }: Pick<CaseRoutesDeps, 'cases'>): void {
  app.post(
    '/api/cases/:id/detections',
    {
      config: WRITE,
      schema: {
        operationId: 'addCaseDetections',
        summary: 'Add detections to a case',
        description:
          'Adds up to 1,000 detections, and returns the outcome of each. A detection can be in several cases. Adding a detection again changes nothing.',
        tags: CASE_TAGS,
        params: caseParams,
        body: addDetectionsSchema,
        response: {
          200: addedDetectionsSchema.describe('The outcomes.'),
          ...WRITE_ERRORS,
          ...errorResponses(409),
        },
      },
    },
    async (request) => {
      const { detections } = request.body;
      const results = await cases.addDetections(request.params.id, detections, changedBy(request)).catch(refuse);
      return { results };
    },
  );

  app.delete(
    '/api/cases/:id/detections/:detectionId',
    {
      config: WRITE,
      schema: {
        operationId: 'removeCaseDetection',
        summary: 'Remove a detection from a case',
        description: 'The detection itself does not change.',
        tags: CASE_TAGS,
        params: caseParams.extend({ detectionId: detectionIdSchema }),
        response: { 204: z.undefined().describe('The detection is removed from the case.'), ...READ_ERRORS },
      },
    },
    async (request, reply) => {
      const { id, detectionId } = request.params;
      await cases.removeDetection(id, detectionId, changedBy(request)).catch(refuse);
      return reply.code(204).send();
    },
  );

  app.post(
    '/api/cases/:id/tasks',
    {
      config: WRITE,
      schema: {
        operationId: 'createCaseTask',
        summary: 'Add a task to a case',
        description: 'Adds the task at the end of the list. The assignee gets a mail, unless they disabled such mails.',
        tags: CASE_TAGS,
        params: caseParams,
        body: newTaskSchema,
        response: { 201: caseTaskSchema.describe('The task.'), ...WRITE_ERRORS, ...errorResponses(409) },
      },
    },
    async (request, reply) => {
      const task = await cases.addTask(request.params.id, request.body, changedBy(request)).catch(refuse);
      return reply.code(201).send(taskRecord(task));
    },
  );

  app.patch(
    '/api/cases/:id/tasks/:taskId',
    {
      config: WRITE,
      schema: {
        operationId: 'changeCaseTask',
        summary: 'Change a task of a case',
        description: 'Changes title, assignee and completion; omitted fields stay as they are.',
        tags: CASE_TAGS,
        params: taskParams,
        body: taskChangeSchema,
        response: { 200: caseTaskSchema.describe('The changed task.'), ...WRITE_ERRORS },
      },
    },
    async (request) => {
      const { id, taskId } = request.params;
      return taskRecord(await cases.changeTask(id, taskId, request.body, changedBy(request)).catch(refuse));
    },
  );

  app.delete(
    '/api/cases/:id/tasks/:taskId',
    {
      config: WRITE,
      schema: {
        operationId: 'deleteCaseTask',
        summary: 'Delete a task of a case',
        description: 'The task stays in the timeline.',
        tags: CASE_TAGS,
        params: taskParams,
        response: { 204: z.undefined().describe('The task is deleted.'), ...READ_ERRORS },
      },
    },
    async (request, reply) => {
      const { id, taskId } = request.params;
      await cases.removeTask(id, taskId, changedBy(request)).catch(refuse);
      return reply.code(204).send();
    },
  );
}
