// The local ClickHouse engine as a process of its own: the entry point of clickhouse-local inside libchdb.so, called through
// node:ffi. The call holds this thread for the engine's whole life, so nothing else can happen in this process.
//   node clickhouse-server.mjs LIBRARY CONFIG_XML DATA_DIR HTTP_PORT
// Plain JavaScript, because it starts before anything of ours is loaded. It stops, gracefully, when its standard input closes:
// that also happens when the parent dies, whatever kills it.
import ffi from 'node:ffi';

const [library, config, dataDir, httpPort] = process.argv.slice(2);

// The last statement reads standard input to its end: it is what keeps the engine alive.
const script = `SYSTEM START LISTEN HTTP;
  SELECT count() FROM file('-', 'LineAsString', 'line String') FORMAT Null;
  SELECT 'stopped'`;
const args = [
  'clickhouse',
  `--config-file=${config}`,
  `--path=${dataDir}`,
  `--http_port=${httpPort}`,
  '--listen_host=127.0.0.1',
  '--logger.console=0',
  '--logger.level=error',
  `--query=${script}`,
];

const strings = args.map((arg) => Buffer.from(`${arg}\0`));
const argv = Buffer.alloc(8 * (strings.length + 1));
for (const [i, string] of strings.entries()) argv.writeBigUInt64LE(ffi.getRawPointer(string), 8 * i);
const { functions } = ffi.dlopen(library, {
  query_stable_v2: {
    arguments: ['i32', 'pointer'],
    return: 'pointer',
    parameters: ['i32', 'pointer'],
    result: 'pointer',
  },
});
const result = functions.query_stable_v2(args.length, ffi.getRawPointer(argv));

// struct local_result_v2: `len` at byte 8, `error_message` at byte 48. A locked directory leaves no message, only an empty result.
const error = result ? ffi.getUint64(result, 48) : 0n;
if (error) console.error(ffi.toString(error));
process.exit(result && !error && ffi.getUint64(result, 8) > 0n ? 0 : 1);
