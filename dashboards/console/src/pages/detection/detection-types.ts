import type { paths } from '../../api/schema.d.ts';

type Found<Path extends '/api/detections' | '/api/detections/{id}'> =
  paths[Path]['get']['responses'][200]['content']['application/json'];

/** A detection without its evidence, as lists contain it. */
export type Detection = Found<'/api/detections'>['data'][number];
export type DetectionWithEvidence = Found<'/api/detections/{id}'>;
export type EventRecord = DetectionWithEvidence['evidence'][number];
