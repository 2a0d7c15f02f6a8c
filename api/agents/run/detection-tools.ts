import { z } from 'zod';
import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { getDetection, listDetections } from '#analytics/clickhouse/read-models/detections.ts';
import { listEvents } from '#analytics/clickhouse/read-models/events.ts';
import { FORMATS } from '#analytics/formats/formats.ts';
import type { RecordKind, RecordOf } from '#analytics/formats/record.ts';
import { eventRecord } from '#api/detections/records/event-record.ts';
import type { JsonValue } from '#api/executions/json-value.ts';
import { exactJson } from '#api/executions/tasks/functions/exact-json.ts';
import { FILTER_SHAPES, withoutUndefined } from '#api/http/queries/list-query.ts';
import { queryProblem } from '#api/http/queries/refuse-query.ts';
import { recordTexts } from '#api/http/responses/send-records.ts';
import { parseExact } from '#schemas/json/parse-exact.ts';
import { defineTool, type Tool, ToolFailure } from './tool.ts';

const paging = { limit: z.int().min(1).max(200).default(50), cursor: z.string().max(2000).optional() };

/** The same lists as in the API, with the same filters. Only for callers who may read detections. */
export function detectionTools(clickhouse: ClickHouse): Tool[] {
  return [
    defineTool({
      name: 'detections.list',
      description: 'Lists detections, newest first; filters: from, to, rule, severity, status, hostname, procname, q.',
      arguments: z.strictObject({ ...FILTER_SHAPES.detections, ...paging }),
      async run({ limit, cursor, ...filters }) {
        const page = { limit, ...(cursor === undefined ? {} : { cursor }) };
        const found = await listDetections(clickhouse, withoutUndefined(filters), page).catch(refuse);
        return { data: asJson('detections', found.items), nextCursor: found.nextCursor ?? null };
      },
    }),
    defineTool({
      name: 'detections.get',
      description: 'One detection by its id (det_…), with the newest of its events.',
      arguments: z.strictObject({ id: z.string().max(100) }),
      async run({ id }) {
        const detection = await getDetection(clickhouse, id);
        if (detection === undefined) throw new ToolFailure('there is no such detection');
        const { items } = await listEvents(clickhouse, { detection: id }, { limit: 100 }).catch(refuse);
        const [shown = null] = asJson('detections', [detection]);
        return { detection: shown, evidence: asJson('events', items.map(eventRecord)) };
      },
    }),
    defineTool({
      name: 'events.list',
      description: 'Lists events, newest first; filters: from, to, type, hostname, procname, detection, q.',
      arguments: z.strictObject({ ...FILTER_SHAPES.events, ...paging }),
      async run({ limit, cursor, ...filters }) {
        const page = { limit, ...(cursor === undefined ? {} : { cursor }) };
        const found = await listEvents(clickhouse, withoutUndefined(filters), page).catch(refuse);
        return { data: asJson('events', found.items.map(eventRecord)), nextCursor: found.nextCursor ?? null };
      },
    }),
  ];
}

function asJson<K extends RecordKind>(kind: K, records: readonly RecordOf[K][]): JsonValue[] {
  return recordTexts(FORMATS.json, kind, records).map((text) => exactJson(parseExact(text)));
}

/** Returns the error to the agent, which can correct its request. The run continues. */
function refuse(error: unknown): never {
  const problem = queryProblem(error);
  throw problem === undefined ? error : new ToolFailure(problem.message);
}
