import type { Detection } from '#schemas/detection.ts';

/** Detections of a kind that a back-test returns at most. */
export const SHOWN_DETECTIONS = 20;

/** Number of detections, and of those that an exception covers. */
export function countDetections(detections: readonly Detection[]) {
  return {
    detections: detections.length,
    silenced: detections.filter(({ exception }) => exception !== null).length,
  };
}

/** Without the V1 event, whose 64-bit digits JSON would round. */
export function shownDetections(detections: readonly Detection[]) {
  return detections.slice(0, SHOWN_DETECTIONS).map(({ event: _, ...detection }) => detection);
}
