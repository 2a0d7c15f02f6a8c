import type { Detection } from '#schemas/detection.ts';

/** Maximum number of detections of each kind in the response. */
export const SHOWN_DETECTIONS = 20;

/** Counts the detections, and those that an exception covers. */
export function countDetections(detections: readonly Detection[]) {
  return {
    detections: detections.length,
    silenced: detections.filter(({ exception }) => exception !== null).length,
  };
}

/** Returns detections for the response, without the V1 event, whose 64-bit digits JSON would round. */
export function shownDetections(detections: readonly Detection[]) {
  return detections.slice(0, SHOWN_DETECTIONS).map(({ event: _, ...detection }) => detection);
}
