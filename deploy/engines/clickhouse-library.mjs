// Corrections to libchdb.so in the memory of the process that runs it. The file on disk is not changed.
//
// 1. The HTTP listener is a Unix socket. clickhouse-local can listen on TCP only, and every local account can connect to a TCP port.
//    The engine calls bind() once, on this thread: the hook below replaces the new TCP socket (dup2) with a Unix socket that is already
//    bound to a path. The engine expects TCP peers, so getsockname, getpeername and accept report one IPv4 address for all, and setsockopt
//    ignores TCP options. Test that fails without it: test/deploy/engines/clickhouse-access.test.ts. It can go when clickhouse-local accepts
//    a path in listen_host.
// 2. A connection error is not fatal. clickhouse-local installs a KillingErrorHandler, which calls std::terminate for errors that
//    clickhouse-server only logs, such as a connection that is reset inside a request's headers. The handler becomes a function that
//    returns. Test: test/deploy/engines/clickhouse-resets.test.ts. It can go when clickhouse-local logs these errors.
// 3. Paths are not made canonical. The data directory is an open descriptor (/proc/self/fd/N), whose real path the account of the engine
//    may not be permitted to enter; realpath() would fail there. Test: test/deploy/engines/clickhouse-account.test.ts. It can go when the
//    engine can run in its working directory with relative paths.
//
// PLACES belong to one build of the library. For another build, run `node bin/find-library-places.mjs` and replace them.
import ffi from 'node:ffi';

/** Addresses in the file. `slots` are entries of the procedure linkage table: pointers to libc functions. */
export const PLACES = {
  buildId: 'd3d8f5517577ad52775b52318a193784b2fb5317',
  buildIdAt: 0x2b8n,
  query_stable_v2: 0xf20ef00n,
  killingErrorHandler: 0xf113480n,
  slots: {
    accept: 0x21c1a340n,
    bind: 0x21c1a008n,
    getpeername: 0x21c1a130n,
    getsockname: 0x21c1a118n,
    realpath: 0x21c1a0a8n,
    setsockopt: 0x21c1a010n,
  },
};

const AF_INET = 2;
const AF_UNIX = 1;
const SOCK_STREAM_CLOEXEC = 0o2000001;
const IPPROTO_TCP = 6;
const TCP_NODELAY = 1;
const SOL_SOCKET = 1;
const SO_REUSEADDR = 2;
const READ_WRITE = 3;
const READ_EXECUTE = 5;
const READ_WRITE_EXECUTE = 7;
const PRIVATE_ANONYMOUS = 0x22;
const PAGE = 4096n;
const RETURN = 0xc3;

/** @param {string} file libchdb.so */
export function loadLibrary(file) {
  const { lib, functions } = ffi.dlopen(file, {
    query_stable_v2: { arguments: ['i32', 'pointer'], return: 'pointer' },
  });
  const base = functions.query_stable_v2.pointer - PLACES.query_stable_v2;
  const buildId = Buffer.from(ffi.toBuffer(base + PLACES.buildIdAt, 20, true)).toString('hex');
  if (buildId !== PLACES.buildId)
    throw new Error(
      `libchdb.so is build ${buildId}, but deploy/engines/clickhouse-library.mjs was written for build ${PLACES.buildId}: run \`node bin/find-library-places.mjs\` and update it`,
    );
  return { run: functions.query_stable_v2, lib, base };
}

const libc = ffi.dlopen('libc.so.6', {
  accept: { arguments: ['i32', 'pointer', 'pointer'], return: 'i32' },
  bind: { arguments: ['i32', 'pointer', 'u32'], return: 'i32' },
  dup2: { arguments: ['i32', 'i32'], return: 'i32' },
  mmap: { arguments: ['pointer', 'u64', 'i32', 'i32', 'i32', 'i64'], return: 'pointer' },
  mprotect: { arguments: ['pointer', 'u64', 'i32'], return: 'i32' },
  setsockopt: { arguments: ['i32', 'i32', 'i32', 'pointer', 'u32'], return: 'i32' },
  socket: { arguments: ['i32', 'i32', 'i32'], return: 'i32' },
  strdup: { arguments: ['pointer'], return: 'pointer' },
}).functions;

/** Binds a Unix socket to `name` in the working directory. Returns its descriptor. */
export function bindUnixSocket(name) {
  const address = Buffer.alloc(110); // struct sockaddr_un
  address.writeUInt16LE(AF_UNIX, 0);
  address.write(name, 2);
  const socket = libc.socket(AF_UNIX, SOCK_STREAM_CLOEXEC, 0);
  if (socket < 0 || libc.bind(socket, ffi.getRawPointer(address), address.length) !== 0)
    throw new Error(`cannot bind the Unix socket ${name} in ${process.cwd()}`);
  return socket;
}

/** Binds a TCP socket to a port of 127.0.0.1, with TCP_NODELAY for its connections. Returns its descriptor. */
export function bindTcpSocket(port) {
  const address = Buffer.alloc(16); // struct sockaddr_in
  address.writeUInt16LE(AF_INET, 0);
  address.writeUInt16BE(port, 2);
  address.set([127, 0, 0, 1], 4);
  const on = Buffer.from([1, 0, 0, 0]);
  const socket = libc.socket(AF_INET, SOCK_STREAM_CLOEXEC, 0);
  libc.setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, ffi.getRawPointer(on), on.length);
  libc.setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, ffi.getRawPointer(on), on.length);
  if (socket < 0 || libc.bind(socket, ffi.getRawPointer(address), address.length) !== 0)
    throw new Error(`cannot bind port ${port} of 127.0.0.1`);
  return socket;
}

/** Applies correction 1. `peer` is the IPv4 address that the engine sees for every client. */
export function listenOn(socket, peer, { lib, base }) {
  const { peerName, accept, setsockopt } = stubs(peer);
  const slots = PLACES.slots;
  ffi.setUint64(base + slots.getpeername, 0, peerName);
  ffi.setUint64(base + slots.getsockname, 0, peerName);
  ffi.setUint64(base + slots.accept, 0, accept);
  ffi.setUint64(base + slots.setsockopt, 0, setsockopt);
  const original = ffi.getUint64(base + slots.bind, 0);
  const hook = lib.registerCallback({ arguments: ['i32', 'pointer', 'u32'], return: 'i32' }, (fd) => {
    ffi.setUint64(base + slots.bind, 0, original);
    return libc.dup2(socket, fd) === fd ? 0 : -1;
  });
  ffi.setUint64(base + slots.bind, 0, hook);
}

/** Applies correction 2. */
export function surviveConnectionErrors({ base }) {
  const at = base + PLACES.killingErrorHandler;
  const page = at & ~(PAGE - 1n);
  if (libc.mprotect(page, PAGE, READ_WRITE_EXECUTE) !== 0)
    throw new Error('cannot make a page of libchdb.so writable (mprotect failed): permit it in the security policy');
  ffi.setUint8(at, 0, RETURN);
  libc.mprotect(page, PAGE, READ_EXECUTE);
}

/**
 * Applies correction 3: realpath(path, NULL) returns a copy of the path without trailing slashes. The engine passes
 * only paths without `..`.
 */
export function keepPaths({ base }) {
  const { realpath } = executable({
    realpath: [
      ...[0x48, 0x83, 0xec, 0x08], // sub rsp, 8
      ...[0x48, 0xb8, ...int64(libc.strdup.pointer), 0xff, 0xd0], // mov rax, strdup; call rax
      ...[0x48, 0x83, 0xc4, 0x08], // add rsp, 8
      ...[0x48, 0x85, 0xc0, 0x74, 36], // test rax, rax; jz to the end
      ...[0x48, 0x89, 0xc1], // mov rcx, rax
      ...[0x80, 0x39, 0x00, 0x74, 0x05], // the terminating zero: cmp byte [rcx], 0; je over the next two
      ...[0x48, 0xff, 0xc1, 0xeb, 0xf6], // inc rcx; jmp back
      ...[0x48, 0x8d, 0x50, 0x01], // lea rdx, [rax + 1]
      ...[0x48, 0x39, 0xd1, 0x76, 0x0e], // cmp rcx, rdx; jbe to the end: one character stays
      ...[0x80, 0x79, 0xff, 0x2f, 0x75, 0x08], // cmp byte [rcx - 1], '/'; jne to the end
      ...[0x48, 0xff, 0xc9], // dec rcx
      ...[0xc6, 0x01, 0x00], // mov byte [rcx], 0
      ...[0xeb, 0xed], // jmp back to cmp rcx, rdx
      RETURN,
    ],
  });
  ffi.setUint64(base + PLACES.slots.realpath, 0, realpath);
}

/**
 * Machine code for functions that the engine calls on its own threads, where JavaScript cannot run. x86-64, System V
 * calling convention.
 */
function stubs(peer) {
  const sockaddr = Buffer.alloc(8); // struct sockaddr_in without its 8 bytes of padding
  sockaddr.writeUInt16LE(AF_INET, 0);
  sockaddr.writeUInt16BE(1, 2);
  sockaddr.set(peer.split('.').map(Number), 4);
  const writePeer = [
    ...[0x48, 0xb8, ...sockaddr], // mov rax, sockaddr
    ...[0x48, 0x89, 0x06], // mov [rsi], rax
    ...[0x48, 0xc7, 0x46, 0x08, 0, 0, 0, 0], // mov qword [rsi + 8], 0
    ...[0xc7, 0x02, 16, 0, 0, 0], // mov dword [rdx], 16
  ];
  // (fd, address, length)
  const peerName = [...writePeer, 0x31, 0xc0, RETURN]; // …; xor eax, eax; ret
  const onSuccess = [0x50, ...writePeer, 0x58]; // push rax; …; pop rax
  const accept = [
    ...[0x56, 0x52, 0x48, 0x83, 0xec, 0x08], // push rsi; push rdx; sub rsp, 8
    ...[0x31, 0xf6, 0x31, 0xd2], // xor esi, esi; xor edx, edx
    ...[0x48, 0xb8, ...int64(libc.accept.pointer), 0xff, 0xd0], // mov rax, accept; call rax
    ...[0x48, 0x83, 0xc4, 0x08, 0x5a, 0x5e], // add rsp, 8; pop rdx; pop rsi
    ...[0x85, 0xc0, 0x78, onSuccess.length], // test eax, eax; js to the end
    ...onSuccess,
    RETURN,
  ];
  // (fd, level, name, value, length)
  const setsockopt = [
    ...[0x83, 0xfe, IPPROTO_TCP, 0x74, 12], // cmp esi, IPPROTO_TCP; je over the next two
    ...[0x48, 0xb8, ...int64(libc.setsockopt.pointer), 0xff, 0xe0], // mov rax, setsockopt; jmp rax
    ...[0x31, 0xc0, RETURN], // xor eax, eax; ret
  ];
  return executable({ peerName, accept, setsockopt });
}

/** Copies code into one executable page. Returns the address of each piece. */
function executable(pieces) {
  const page = libc.mmap(0n, PAGE, READ_WRITE, PRIVATE_ANONYMOUS, -1, 0n);
  const addresses = {};
  let at = page;
  for (const [name, bytes] of Object.entries(pieces)) {
    ffi.exportBuffer(Buffer.from(bytes), at, bytes.length);
    addresses[name] = at;
    at += BigInt((bytes.length + 15) & ~15);
  }
  if (libc.mprotect(page, PAGE, READ_EXECUTE) !== 0)
    throw new Error('cannot make memory executable (mprotect failed): permit it in the security policy');
  return addresses;
}

function int64(value) {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
}
