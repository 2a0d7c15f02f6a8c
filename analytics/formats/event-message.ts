import type { EventColumns } from './event-columns.ts';
import { hexadecimal } from './hexadecimal.ts';

/** One sentence for people about any event, for the message fields of other formats. Holds process names as they came: neutralise before a terminal. */
export function eventMessage(event: EventColumns): string {
  const process = `${event.procname ?? 'a process'}${event.pid === null ? '' : `[${event.pid}]`}`;
  switch (event.type) {
    case 'LinuxKernelTrap': {
      const mapping =
        event.vmastart === null ? '' : `[${hexadecimal(event.vmastart)}+${hexadecimal(event.vmasize ?? 0)}]`;
      const trap = event.location === null ? event.trap : `Segfault at ${hexadecimal(event.location)}`;
      const where = event.file === null ? '' : ` in ${event.file}${mapping}`;
      return `${process}: ${trap}, ip ${hexadecimal(event.ip ?? 0)}, sp ${hexadecimal(event.sp ?? 0)}${where}`;
    }
    case 'LinuxFatalSignal':
      return `${process}: fatal signal ${event.signal}${event.ip === null ? '' : `, ip ${hexadecimal(event.ip)}`}`;
    case 'LinuxSuppressedCallback':
      return `${event.function_name}: ${event.count} callbacks suppressed`;
    case 'ConfigMismatch':
      return `${event.key} should be ${event.expected_value} but is ${event.observed_value}`;
    default:
      return `${process}: probe of ${event.register}: ${event.message}`;
  }
}
