// Drops all privileges of a process before it runs third-party code: its account, all capabilities, and ways to regain
// any. libc's prctl and capset affect the calling thread; threads that it starts later inherit the result.
import ffi from 'node:ffi';

const PR_CAPBSET_DROP = 24;
const PR_SET_NO_NEW_PRIVS = 38;
const MAX_CAPABILITIES = 64;
const CAPABILITY_VERSION_3 = 0x20080522;

/** @param {{uid: number, gid: number} | undefined} account Account to change to; undefined keeps the current one. */
export function dropPrivileges(account) {
  const libc = ffi.dlopen('libc.so.6', {
    capset: { arguments: ['pointer', 'pointer'], return: 'i32' },
    prctl: { arguments: ['i32', 'u64', 'u64', 'u64', 'u64'], return: 'i32' },
  }).functions;
  // Without CAP_SETPCAP this has no effect, but no_new_privs is sufficient.
  for (let capability = 0n; capability < MAX_CAPABILITIES; capability++)
    libc.prctl(PR_CAPBSET_DROP, capability, 0n, 0n, 0n);
  if (account !== undefined) {
    process.setgroups([]);
    process.setgid(account.gid);
    process.setuid(account.uid); // Also clears the capabilities of all threads.
  }
  const header = Buffer.alloc(8);
  header.writeUInt32LE(CAPABILITY_VERSION_3);
  const none = Buffer.alloc(24);
  if (libc.capset(ffi.getRawPointer(header), ffi.getRawPointer(none)) !== 0)
    throw new Error('cannot drop capabilities');
  if (libc.prctl(PR_SET_NO_NEW_PRIVS, 1n, 0n, 0n, 0n) !== 0) throw new Error('cannot set no_new_privs');
}
