/** What the detector says about itself; the launcher writes it to stderr. Never a value of an event. */
export type DetectorLog = (
  level: 'info' | 'warn' | 'error',
  fields: Readonly<Record<string, string | number | boolean | null>>,
  message: string,
) => void;
