/**
 * The internal event: what rules, tables and formats know, whatever version of the format it came in. It has the shape of V1. The file of every
 * other version converts to it (`upcast`), so that a new version changes none of them.
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
