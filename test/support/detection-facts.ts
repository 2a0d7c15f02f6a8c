/**
 * Facts about a detection that must not depend on how its evidence was divided into batches or on which process derived
 * it.
 */
export interface DetectionFacts {
  readonly id: string;
  readonly revision: number;
  readonly severity: string;
  readonly hostname: string | null;
  readonly message: string;
  readonly crashes: number;
  readonly suppressedAtLeast: number;
  readonly valuesTotal: number;
  readonly evidenceCount: number;
}

/** Returns the facts of a detection object or of a row of the view `detections`, in which 64-bit numbers are text. */
export function factsOf(detection: object): DetectionFacts {
  const of = detection as Record<keyof DetectionFacts, never>;
  const { id, severity, hostname, message } = of;
  return {
    id,
    severity,
    hostname,
    message,
    revision: Number(of.revision),
    crashes: Number(of.crashes),
    suppressedAtLeast: Number(of.suppressedAtLeast),
    valuesTotal: Number(of.valuesTotal),
    evidenceCount: Number(of.evidenceCount),
  };
}
