/** What has to be the same about a detection, for any division of its evidence into batches and for any process that derived it. */
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

/** From a detection object or a row of the view `detections`, whose 64-bit numbers come as text. */
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
