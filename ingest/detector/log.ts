/** Log of the detector; the launcher writes it to stderr. Never contains values of events. */
export type DetectorLog = (
  level: 'info' | 'warn' | 'error',
  fields: Readonly<Record<string, string | number | boolean | null>>,
  message: string,
) => void;
