import type { EventType } from '#schemas/events/event.ts';
import { isKernelFault, kernelFaultFacts } from '#schemas/kernel-fault.ts';
import { type EventColumns, trapText } from './event-columns.ts';
import { hexadecimal } from './hexadecimal.ts';

/**
 * Returns one sentence about an event, for the message fields of other formats. Contains unescaped process names: use
 * `terminalText` before writing it to a terminal.
 */
export function eventMessage(event: EventType, columns: EventColumns): string {
  const process = `${columns.procname ?? 'a process'}${columns.pid === null ? '' : `[${columns.pid}]`}`;
  switch (event.type) {
    case 'LinuxKernelTrap': {
      const { trap, ip, sp, file, vmastart, vmasize } = event;
      const what = trap.type === 'Segfault' ? `Segfault at ${hexadecimal(trap.location)}` : trapText(trap);
      if (isKernelFault(event)) {
        const { report, symbol } = kernelFaultFacts(event);
        const where = symbol === undefined || what.includes(symbol) ? '' : ` at ${symbol}`;
        const words = report === undefined || what.startsWith(report) ? '' : `: ${report}`;
        return `kernel fault in the context of ${process}: ${what}${where}${words}`;
      }
      const mapping = vmastart == null ? '' : `[${hexadecimal(vmastart)}+${hexadecimal(vmasize ?? 0)}]`;
      return `${process}: ${what}, ip ${hexadecimal(ip)}, sp ${hexadecimal(sp)}${file == null ? '' : ` in ${file}${mapping}`}`;
    }
    case 'LinuxFatalSignal':
      return `${process}: fatal signal ${event.signal}${columns.ip === null ? '' : `, ip ${hexadecimal(columns.ip)}`}`;
    case 'LinuxSuppressedCallback':
      return `${event.function_name}: ${event.count} callbacks suppressed`;
    case 'ConfigMismatch':
      return `${event.key} should be ${event.expected_value} but is ${event.observed_value}`;
    default:
      return `${process}: probe of ${event.register}: ${event.message}`;
  }
}
