/**
 * The internal event, which rules, tables and formats use for all format versions. It has the shape of V1. Each other
 * version converts to it with `upcast`, so a new version does not change rules, tables or formats.
 */
export type {
  ConfigMismatch,
  EventType,
  EventV1 as InternalEvent,
  FatalSignal,
  KernelTrap,
  KernelTrapType,
  RegisterProbe,
  RegisterProbeJustification,
  SegfaultErrorCode,
  SuppressedCallback,
  U64,
} from './versions/v1.ts';
export { FATAL_SIGNALS, LOG_FACILITIES, LOG_LEVELS } from './versions/v1.ts';
