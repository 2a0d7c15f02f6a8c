/** The kernel log as returned by syslog(2). */
export interface KernelSyslog {
  /** Size of the ring buffer in bytes. */
  readonly size: number;
  /** Reads the newest complete records that fit into `into`, oldest first. Returns the number of bytes. */
  readNewest(into: Buffer): number;
}

/** Actions of syslog(2). */
const READ_ALL = 3;
const SIZE_BUFFER = 10;

const EPERM = 1;

/** A call of syslog(2) failed. */
export class KernelSyslogError extends Error {
  override readonly name = 'KernelSyslogError';
}

interface Functions {
  klogctl(action: number, buffer: bigint, length: number): number;
  __errno_location(): bigint;
}

interface Ffi {
  dlopen(library: null, functions: object): { readonly functions: Functions };
  getRawPointer(buffer: Buffer): bigint;
  getInt32(pointer: bigint): number;
}

/**
 * Opens the kernel log by syslog(2). This needs CAP_SYSLOG, or no capability if kernel.dmesg_restrict is 0. Throws
 * `KernelSyslogError` if it is not permitted.
 */
export function openKernelSyslog(): KernelSyslog {
  // Loaded by name at run time, because only Node 26 and later have it.
  const ffi = process.getBuiltinModule('node:ffi') as unknown as Ffi | undefined;
  if (ffi === undefined)
    throw new KernelSyslogError(`--from syslog needs Node.js 26 with node:ffi (this is ${process.version})`);
  // The C library that Node itself uses.
  const { functions } = ffi.dlopen(null, {
    klogctl: { arguments: ['i32', 'pointer', 'i32'], return: 'i32' },
    __errno_location: { arguments: [], return: 'pointer' },
  });

  function call(action: number, buffer: bigint, length: number): number {
    const result = functions.klogctl(action, buffer, length);
    if (result < 0) throw failure(ffi?.getInt32(functions.__errno_location()) ?? 0);
    return result;
  }

  const size = call(SIZE_BUFFER, 0n, 0);
  call(READ_ALL, ffi.getRawPointer(Buffer.alloc(1)), 1);
  return { size, readNewest: (into) => call(READ_ALL, ffi.getRawPointer(into), into.length) };
}

function failure(errno: number): KernelSyslogError {
  return new KernelSyslogError(
    errno === EPERM
      ? 'the kernel log may not be read by this process: run as root, or with CAP_SYSLOG'
      : `the kernel log cannot be read by syslog(2) (errno ${errno})`,
  );
}
