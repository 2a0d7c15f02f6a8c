/** The kernel's log as syslog(2) returns it. */
export interface KernelSyslog {
  /** Bytes of the ring. */
  readonly size: number;
  /** Reads the newest whole records that fit `into`, oldest first; returns how many bytes they have. */
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
 * Opens the kernel's log by syslog(2), which a process may call with CAP_SYSLOG, and without any capability where
 * kernel.dmesg_restrict is 0. Throws `KernelSyslogError` when the call is not permitted.
 */
export function openKernelSyslog(): KernelSyslog {
  // Loaded by name at run time: only Node 26 and later have it.
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
