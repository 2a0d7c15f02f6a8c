// One node of a ClickHouse cluster, for tests: node clickhouse-node.mjs LIBRARY CONFIG_XML DATA_DIR HTTP_PORT TCP_PORT REPLICA_HOST
//
// libchdb.so exports the program clickhouse-local. The library also holds ReplicatedMergeTree, the ZooKeeper client, the queue of DDL statements and
// the HTTP handler that replicas fetch parts from, but clickhouse-local does not start them
// (https://github.com/ClickHouse/ClickHouse/issues/78632). This program starts them in the memory of its own process, at two calls that
// clickhouse-local makes on this thread:
//   1. after the global context is created, the address and the credentials for replicas are written into it;
//   2. when HTTP listeners are created, the one on REPLICA_HOST gets the handler for replicas, and the worker of DDL statements is started.
// The file on disk is not changed. The addresses are valid for one build only (`node-places.mjs`).
import { createHash } from 'node:crypto';
import ffi from 'node:ffi';
import { loadLibrary, PLACES } from '#deploy/engines/clickhouse-library.mjs';
import { NODE_PLACES } from './node-places.mjs';

const READ_EXECUTE = 5;
const READ_WRITE_EXECUTE = 7;
const PAGE_MASK = ~0xfffn;
const RETURN = 0xc3;
/** Maximum length of a string that std::string stores inline. */
const MAX_SHORT_STRING = 22;

/** `replicaHost` is a second address of this host. Only replicas connect to it; its port is the HTTP port. */
const [libraryFile = '', config, dataDir = '', httpPort, tcpPort, replicaHost = ''] = process.argv.slice(2);
const libc = ffi.dlopen('libc.so.6', {
  mprotect: { arguments: ['pointer', 'u64', 'i32'], return: 'i32' },
  pipe: { arguments: ['pointer'], return: 'i32' },
  dup2: { arguments: ['i32', 'i32'], return: 'i32' },
}).functions;
const { run, lib, base } = loadLibrary(libraryFile);
/** Buffers that C++ code points to; references protect them from garbage collection. */
const kept = [];

keepInputOpen();
const writeCode = codeMemory();
// clickhouse-local ends the process on connection errors, such as those of a killed replica. clickhouse-server logs
// them.
patch(base + PLACES.killingErrorHandler, 1, (at) => ffi.setUint8(at, 0, RETURN));

beforeCall(NODE_PLACES.setApplicationType, (context) => {
  const shared = ffi.getUint64(context, NODE_PLACES.context.shared);
  writeString(shared + NODE_PLACES.shared.interserverHost, replicaHost);
  ffi.setUint16(shared + NODE_PLACES.shared.interserverPort, 0, Number(httpPort));
  writeString(shared + NODE_PLACES.shared.interserverScheme, 'http');
  ffi.setUint64(shared + NODE_PLACES.shared.interserverCredentials, 0, noCredentials());
  // Identity in ZooKeeper, constant across restarts.
  ffi.exportBuffer(createHash('md5').update(dataDir).digest(), base + NODE_PLACES.serverUuid, 16);
  // Threads that create the tables of a database with the engine Replicated.
  call.initializePool(call.createTablesPool(), 4n, 0n, 16n);
  // Threads that write backups to object stores.
  call.initializePool(call.backupsPool(), 4n, 0n, 1_000n);
});

beforeCall(NODE_PLACES.createHandlerFactory, (_server, _config, _metrics, _name, closure) => {
  if (readString(ffi.getUint64(closure, 8)) !== replicaHost) return undefined;
  startDdlWorker(ffi.getUint64(closure, 0));
  return newString('InterserverIOHTTPHandler-factory');
});

const call = {
  operatorNew: internal('chdb_arrow_scan', NODE_PLACES.operatorNew, ['u64'], 'pointer'),
  createTablesPool: internal('chdb_adbc_init', NODE_PLACES.createTablesPool, [], 'pointer'),
  backupsPool: internal('chdb_restore_database_n', NODE_PLACES.backupsPool, [], 'pointer'),
  initializePool: internal('AdbcDriverInit', NODE_PLACES.initializePool, ['pointer', 'u64', 'u64', 'u64'], 'void'),
  newDdlWorker: internal(
    'chdb_arrow_array_scan',
    NODE_PLACES.ddlWorker.construct,
    ['pointer', 'i32', ...Array(10).fill('pointer')],
    'pointer',
  ),
  startDdlWorker: internal('chdb_arrow_unregister_table', NODE_PLACES.ddlWorker.startup, ['pointer'], 'void'),
};

serve();
process.exit(1);

/** Runs clickhouse-local until it ends. Its last statement reads standard input, which stays open. */
function serve() {
  const args = [
    'clickhouse',
    `--config-file=${config}`,
    `--path=${dataDir}`,
    `--http_port=${httpPort}`,
    `--tcp_port=${tcpPort}`,
    `--query=SYSTEM START LISTEN HTTP; SYSTEM START LISTEN TCP; SELECT count() FROM file('-', 'LineAsString', 'line String') FORMAT Null`,
  ];
  const argv = memory(8 * (args.length + 1));
  for (const [index, arg] of args.entries()) {
    const text = memory(Buffer.byteLength(arg) + 1);
    ffi.exportString(arg, text, Buffer.byteLength(arg) + 1);
    ffi.setUint64(argv, 8 * index, text);
  }
  const result = run(args.length, argv);
  const error = result ? ffi.getUint64(result, 48) : 0n;
  process.stderr.write(`the node ended: ${error ? ffi.toString(error) : 'without an error'}\n`);
}

/** Replaces standard input with the read end of a pipe. This process keeps the write end open. */
function keepInputOpen() {
  const ends = Buffer.alloc(8);
  if (libc.pipe(ffi.getRawPointer(ends)) !== 0 || libc.dup2(ends.readInt32LE(0), 0) !== 0)
    throw new Error('cannot keep standard input open');
}

/** Creates the queue of DDL statements as clickhouse-server does. `local` is the LocalServer object. */
function startDdlWorker(local) {
  const context = ffi.getUint64(local, NODE_PLACES.localServer.context);
  const owners = ffi.getUint64(local, NODE_PLACES.localServer.context + 8); // control block of the shared_ptr
  ffi.setUint64(owners, 8, ffi.getUint64(owners, 8) + 1n);
  const worker = call.operatorNew(NODE_PLACES.ddlWorker.bytes);
  const [queue, replicas, prefix, keeper, logger] = [
    '/clickhouse/task_queue/ddl',
    '/clickhouse/task_queue/replicas',
    '',
    'default',
    'DDLWorker',
  ].map(newString);
  call.newDdlWorker(worker, 1, queue, replicas, context, owners, 0n, prefix, keeper, logger, 0n, 0n);
  const shared = ffi.getUint64(context, NODE_PLACES.context.shared);
  ffi.setUint64(shared + NODE_PLACES.shared.ddlWorker, 0, worker);
  call.startDdlWorker(worker);
  const catalog = ffi.getUint64(base + NODE_PLACES.databaseCatalog, 0);
  ffi.setUint8(catalog, NODE_PLACES.catalog.replicatedDdlEnabled, 1);
}

/**
 * Returns InterserverCredentials without user and password: two strings, then a vector with one pair of empty strings.
 */
function noCredentials() {
  const object = memory(120);
  const pair = object + 72n;
  ffi.setUint64(object, 48, pair);
  ffi.setUint64(object, 56, pair + 48n);
  ffi.setUint64(object, 64, pair + 48n);
  return object;
}

/**
 * Runs `before(rdi, rsi, rdx, rcx, r13)` before the call at `site`. A result other than undefined replaces the fourth
 * argument of the call (rcx). The call must be made on this thread.
 */
function beforeCall({ site, target }, before) {
  const at = base + site;
  const original = at + 5n + BigInt(ffi.getInt32(at, 1));
  if (ffi.getUint8(at, 0) !== 0xe8 || original !== base + target)
    throw new Error(`there is no call of ${target} at ${site}`);
  const callback = lib.registerCallback({ arguments: Array(5).fill('pointer'), return: 'pointer' }, (...registers) => {
    const [rdi, rsi, rdx, rcx, r13] = registers;
    return before(rdi, rsi, rdx, rcx, r13) ?? rcx;
  });
  const stub = writeCode([
    ...[0x57, 0x56, 0x52, 0x51, 0x41, 0x50, 0x41, 0x51], // push rdi, rsi, rdx, rcx, r8, r9
    ...[0x48, 0x83, 0xec, 0x08], // sub rsp, 8: aligns the stack to 16 bytes
    ...[0x4d, 0x89, 0xe8], // mov r8, r13
    ...[0x48, 0xb8, ...int64(callback), 0xff, 0xd0], // call callback
    ...[0x48, 0x83, 0xc4, 0x08], // add rsp, 8
    ...[0x41, 0x59, 0x41, 0x58, 0x59, 0x5a, 0x5e, 0x5f], // pop r9, r8, rcx, rdx, rsi, rdi
    ...[0x48, 0x89, 0xc1], // mov rcx, rax
    ...jump(original),
  ]);
  patch(at, 5, () => ffi.setInt32(at, 1, Number(stub - (at + 5n))));
}

/**
 * Returns a function that the library does not export. Patches an exported function that is not called here with a jump
 * to it.
 */
function internal(exported, place, parameters, result) {
  const at = lib.getSymbol(exported);
  const bytes = Buffer.from(jump(base + place));
  patch(at, bytes.length, () => ffi.exportBuffer(bytes, at, bytes.length));
  return lib.getFunction(exported, { arguments: parameters, return: result });
}

function patch(at, bytes, write) {
  const page = at & PAGE_MASK;
  const size = at + BigInt(bytes) - page;
  if (libc.mprotect(page, size, READ_WRITE_EXECUTE) !== 0)
    throw new Error('cannot make the code of the library writable');
  write(at);
  libc.mprotect(page, size, READ_EXECUTE);
}

/** Writes code within 2 GiB of the library, over an exported function that is not called here (2,752 bytes). */
function codeMemory() {
  let next = lib.getSymbol('chdb_backup_database_n');
  return (bytes) => {
    const at = next;
    patch(at, bytes.length, () => ffi.exportBuffer(Buffer.from(bytes), at, bytes.length));
    next += BigInt((bytes.length + 15) & ~15);
    return at;
  };
}

function jump(target) {
  return [0x48, 0xb8, ...int64(target), 0xff, 0xe0]; // mov rax, target; jmp rax
}

function int64(value) {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt.asUintN(64, value));
  return bytes;
}

/**
 * Writes a std::string of libc++: a short string inline with its length in the last byte, else pointer, size and
 * capacity.
 */
function writeString(at, text) {
  const bytes = Buffer.alloc(24);
  if (text.length <= MAX_SHORT_STRING) {
    bytes.write(text);
    bytes[23] = text.length;
  } else {
    const long = memory(text.length + 1);
    ffi.exportString(text, long, text.length + 1);
    bytes.writeBigUInt64LE(long, 0);
    bytes.writeBigUInt64LE(BigInt(text.length), 8);
    bytes.writeBigUInt64LE(0x8000_0000_0000_0000n + BigInt(text.length + 1), 16);
  }
  ffi.exportBuffer(bytes, at, 24);
}

function newString(text) {
  const at = memory(24);
  writeString(at, text);
  return at;
}

function readString(at) {
  const size = ffi.getUint8(at, 23);
  return size & 0x80 ? ffi.toString(ffi.getUint64(at, 0)) : Buffer.from(ffi.toBuffer(at, size, true)).toString();
}

function memory(bytes) {
  const buffer = Buffer.alloc(bytes);
  kept.push(buffer);
  return ffi.getRawPointer(buffer);
}
