// Landlock: the kernel denies this thread, and threads that it starts, all files and TCP ports that are not allowed
// here, for any account. It confines SQL functions that ClickHouse grants to every user, such as file(path).
import ffi from 'node:ffi';
import { closeSync, constants, existsSync, fstatSync, openSync } from 'node:fs';

const CREATE_RULESET = 444n;
const ADD_RULE = 445n;
const RESTRICT_SELF = 446n;
const CREATE_RULESET_VERSION = 1n;
const RULE_PATH_BENEATH = 1n;

const bits = (...numbers) => numbers.reduce((set, bit) => set | (1n << BigInt(bit)), 0n);
const READ = bits(2, 3); // READ_FILE, READ_DIR
/** WRITE_FILE, REMOVE_DIR, REMOVE_FILE, MAKE_DIR, MAKE_REG, MAKE_SYM, REFER, TRUNCATE. */
const WRITE = bits(1, 4, 5, 7, 8, 12, 13, 14);
/** File actions that are denied unless a rule allows them, by version of the interface. */
const FILE_ACTIONS = { 2: (1n << 14n) - 1n, 3: (1n << 15n) - 1n, 5: (1n << 16n) - 1n };
/** BIND_TCP, CONNECT_TCP; since version 4. */
const TCP = bits(0, 1);
/** Abstract Unix sockets of outside processes, and signals to them. Since version 6. */
const SCOPES = bits(0, 1);
/** First version that allows renaming files between directories. */
const OLDEST = 2;

/** Machine information that any program may read: processors, memory and its limits, time zones, random numbers. */
const MACHINE = [
  '/proc',
  '/sys/devices/system/cpu',
  '/sys/fs/cgroup',
  '/sys/block',
  '/etc/localtime',
  '/usr/share/zoneinfo',
  '/dev/urandom',
];
/** Actions that a rule for a single file may allow, among those used here: READ_FILE, WRITE_FILE, TRUNCATE. */
const FILE_ONLY = bits(1, 2, 14);

const { syscall } = ffi.dlopen('libc.so.6', {
  syscall: { arguments: ['i64', 'u64', 'u64', 'u64', 'u64'], return: 'i64' },
}).functions;

/** Returns the Landlock version of the running kernel; 0 if it has none that is supported here. */
export function landlockVersion() {
  const version = Number(syscall(CREATE_RULESET, 0n, 0n, CREATE_RULESET_VERSION, 0n));
  return version >= OLDEST ? version : 0;
}

/**
 * Confines this thread permanently. Requires no_new_privs.
 * @param {number} version From `landlockVersion`.
 * @param {{read: readonly string[], write: readonly string[]}} directories Allowed in addition to the machine
 * information.
 */
export function confine(version, { read, write }) {
  const actions = FILE_ACTIONS[version >= 5 ? 5 : version >= 3 ? 3 : 2];
  const attributes = Buffer.alloc(version >= 6 ? 24 : version >= 4 ? 16 : 8);
  attributes.writeBigUInt64LE(actions, 0);
  if (version >= 4) attributes.writeBigUInt64LE(TCP, 8);
  if (version >= 6) attributes.writeBigUInt64LE(SCOPES, 16);
  const ruleset = checked(
    syscall(CREATE_RULESET, ffi.getRawPointer(attributes), BigInt(attributes.length), 0n, 0n),
    'create a ruleset',
  );
  for (const path of [...MACHINE.filter((path) => existsSync(path)), ...read]) allow(ruleset, path, READ & actions);
  for (const path of write) allow(ruleset, path, (READ | WRITE) & actions);
  checked(syscall(RESTRICT_SELF, ruleset, 0n, 0n, 0n), 'restrict the process');
}

function allow(ruleset, path, actions) {
  const fd = openSync(path, constants.O_RDONLY);
  const isFile = !fstatSync(fd).isDirectory();
  const rule = Buffer.alloc(12); // struct landlock_path_beneath_attr
  rule.writeBigUInt64LE(isFile ? actions & FILE_ONLY : actions, 0);
  rule.writeInt32LE(fd, 8);
  checked(syscall(ADD_RULE, ruleset, RULE_PATH_BENEATH, ffi.getRawPointer(rule), 0n), `allow ${path}`);
  closeSync(fd);
}

function checked(result, what) {
  if (result < 0n) throw new Error(`Landlock cannot ${what}: set TRAPLINE_ENGINE_ISOLATION to off to run without it`);
  return result;
}
