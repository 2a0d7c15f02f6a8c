// The embedded ClickHouse as a process of its own: the entry point of clickhouse-local in libchdb.so, called through node:ffi.
// The call blocks this thread until the engine ends.
//   node clickhouse-server.mjs '{"library":…,"runDir":…,"dataDir":…,"peer":…,"isolation":…,"account":…}'
// Plain JavaScript, because it starts before anything of ours is loaded. It stops gracefully when its standard input closes, which
// also happens when the parent dies for any reason.
import ffi from 'node:ffi';
import { constants, openSync, writeFileSync } from 'node:fs';
import {
  bindTcpSocket,
  bindUnixSocket,
  keepPaths,
  listenOn,
  loadLibrary,
  surviveConnectionErrors,
} from './clickhouse-library.mjs';
import { dropPrivileges } from './drop-privileges.mjs';
import { confine, landlockVersion } from './landlock.mjs';

/** Exit code if standard error contains a message for the operator. */
const EXIT_EXPLAINED = 3;

/** @type {{library: string, runDir: string, dataDir: string, peer: string, isolation: string, port?: number, account?: {uid: number, gid: number}}} */
const { library: file, runDir, dataDir, peer, isolation, port, account } = JSON.parse(process.argv[2]);

try {
  process.exit(runEngine(prepare()));
} catch (error) {
  console.error(error.message);
  process.exit(EXIT_EXPLAINED);
}

/** Opens everything that needs our privileges, then drops them. */
function prepare() {
  const library = loadLibrary(file);
  surviveConnectionErrors(library);
  keepPaths(library);
  process.umask(0o077);
  process.chdir(runDir);
  listenOn(port === undefined ? bindUnixSocket('clickhouse.sock') : bindTcpSocket(port), peer, library);
  const config = openDirectory('config');
  const data = openDirectory(dataDir);
  const landlock = isolation === 'off' ? 0 : landlockVersion();
  if (landlock === 0 && isolation === 'required')
    throw new Error(
      'TRAPLINE_ENGINE_ISOLATION is required, but this kernel has no Landlock: use Linux 5.19 or later with Landlock enabled, or set it to auto',
    );
  writeFileSync('landlock', String(landlock));
  process.chdir('/');
  dropPrivileges(account);
  if (landlock > 0) confine(landlock, { read: [config], write: [data] });
  return { library, config, data };
}

/**
 * Returns a path of a directory that is valid in this process, regardless of the length and permissions of its parent
 * directories.
 */
function openDirectory(path) {
  return `/proc/self/fd/${openSync(path, constants.O_RDONLY | constants.O_DIRECTORY)}`;
}

function runEngine({ library, config, data }) {
  // The last statement reads standard input to its end, which keeps the engine running.
  const script = `SYSTEM START LISTEN HTTP;
    SELECT count() FROM file('-', 'LineAsString', 'line String') FORMAT Null;
    SELECT 'stopped'`;
  const args = [
    'clickhouse',
    `--config-file=${config}/config.xml`,
    `--path=${data}`,
    '--http_port=1', // Never bound; see clickhouse-library.mjs.
    '--listen_host=127.0.0.1',
    '--logger.console=0',
    '--logger.level=error',
    `--query=${script}`,
  ];
  const strings = args.map((arg) => Buffer.from(`${arg}\0`));
  const argv = Buffer.alloc(8 * (strings.length + 1));
  for (const [i, string] of strings.entries()) argv.writeBigUInt64LE(ffi.getRawPointer(string), 8 * i);
  const result = library.run(args.length, ffi.getRawPointer(argv));

  // struct local_result_v2: `len` at byte 8, `error_message` at byte 48. A locked directory causes an empty result
  // without a message.
  const error = result ? ffi.getUint64(result, 48) : 0n;
  if (error) console.error(ffi.toString(error));
  return result && !error && ffi.getUint64(result, 8) > 0n ? 0 : 1;
}
