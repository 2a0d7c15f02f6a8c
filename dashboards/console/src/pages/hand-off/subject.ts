import { isRecord, type Json } from '../../parts/run-form/json.ts';

/** The record to which comments and executions belong. */
export interface Subject {
  readonly kind: 'detections' | 'cases';
  readonly id: string;
  /** The detections of a case. */
  readonly detections?: readonly string[];
  /** Facts of a detection, by input name; null if unknown. */
  readonly facts?: Readonly<Record<string, string | null>>;
}

/**
 * Returns the input schema of a workflow or agent. The subject's facts are the defaults of inputs with the same names.
 * Without such inputs, or without a schema, the input is JSON that contains the id.
 */
export function schemaWithSubject(schema: unknown, subject: Subject): unknown {
  const values = valuesOf(subject);
  if (!isRecord(schema) || !isRecord(schema.properties)) return { default: values.preset };
  const properties = Object.entries(schema.properties).map(([name, property]): [string, unknown] => {
    const value = values.byName[name];
    const fits =
      value !== undefined && isRecord(property) && property.type === (Array.isArray(value) ? 'array' : 'string');
    return [name, fits ? { ...property, default: value } : property];
  });
  return { ...schema, properties: Object.fromEntries(properties) };
}

function valuesOf({ kind, id, detections = [], facts = {} }: Subject): {
  readonly byName: Readonly<Record<string, Json | undefined>>;
  readonly preset: Json;
} {
  if (kind === 'detections')
    return {
      byName: {
        ...Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null)),
        detection: id,
        detectionId: id,
        detection_id: id,
        id,
        detections: [id],
      },
      preset: { detection: id },
    };
  const all = [...detections];
  return {
    byName: { case: id, caseId: id, case_id: id, id, detections: all, detection: all[0] },
    preset: { case: id, detections: all },
  };
}
