import { closeSync, constants, fstatSync, openSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readBuildId } from './build-id.ts';
import type { ProcessFacts } from './process-facts.ts';
import { readCgroup } from './read-cgroup.ts';
import { type FileMapping, findMapping } from './read-maps.ts';

/**
 * State of a process when its signal was delivered. Read immediately, because the process disappears a moment later.
 */
export interface ProcessSnapshot {
  readonly pid: number;
  readonly facts: ProcessFacts;
  readonly maps: string;
}

/** Fields that the mapping of the instruction pointer adds to an event. */
export interface MappingFacts {
  readonly file: string;
  readonly vmastart: number;
  readonly vmasize: number;
  /** GNU build id of that file. */
  readonly file_build_id?: string;
}

export interface ProcessReader {
  /** Returns null if the process is gone, or if its id belongs to another process now. */
  snapshot(pid: number, comm: string | null): ProcessSnapshot | null;
  /** Returns the file mapping that contains the address (hexadecimal digits); null if unknown. */
  mapping(snapshot: ProcessSnapshot, address: string): MappingFacts | null;
}

/** Maximum number of cached build ids. The oldest is evicted first. */
const MAX_BUILD_IDS = 1_024;

/** PROC_PID_INIT_INO of the kernel. */
const INITIAL_PID_NAMESPACE = 'pid:[4026531836]';

/** Reads processes below `root`/proc. Synchronous, because the process may disappear at any moment. */
export function createProcessReader(root: string): ProcessReader {
  const sees = seesAllProcesses(root);
  const buildIds = new Map<string, string | null>();
  const proc = (pid: number, name: string): string => join(root, 'proc', String(pid), name);
  const text = (pid: number, name: string): string | null => attempt(() => readFileSync(proc(pid, name), 'utf8'));

  /**
   * Returns the build id of a file. Cached by file identity, so each file is read once. If `inode` is given, the file
   * must have it.
   */
  function buildIdOf(path: string, inode?: number): string | null {
    return attempt(() => {
      // The path belongs to a process of any user. Opening a device could change its state, and opening a FIFO would
      // block the detector.
      if (!statSync(path).isFile()) return null;
      const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
      try {
        const file = fstatSync(fd);
        const { dev, ino, mtimeMs } = file;
        if (!file.isFile() || (inode !== undefined && ino !== inode)) return null;
        const key = `${dev}:${ino}:${mtimeMs}`;
        const known = buildIds.get(key);
        if (known !== undefined) return known;
        if (buildIds.size >= MAX_BUILD_IDS) buildIds.delete(buildIds.keys().next().value as string);
        const id = readBuildId(fd);
        buildIds.set(key, id);
        return id;
      } finally {
        closeSync(fd);
      }
    });
  }

  function parentOf(pid: number): ProcessFacts['parent'] {
    const name = text(pid, 'comm')?.trimEnd();
    const executable = executableOf(pid);
    return { pid, ...(name ? { name } : {}), ...(executable === null ? {} : { executable }) };
  }

  function executableOf(pid: number): string | null {
    return attempt(() => readlinkSync(proc(pid, 'exe')).replace(/ \(deleted\)$/, ''));
  }

  function factsOf(status: string, cgroup: string, executable: string | null, buildId: string | null): ProcessFacts {
    const uid = /^Uid:\s*(\d+)/m.exec(status)?.[1];
    const parent = Number(/^PPid:\s*(\d+)/m.exec(status)?.[1] ?? 0);
    return {
      ...(executable === null ? {} : { executable }),
      ...(buildId === null ? {} : { build_id: buildId }),
      ...(uid === undefined ? {} : { uid: Number(uid) }),
      ...(parent > 0 ? { parent: parentOf(parent) as NonNullable<ProcessFacts['parent']> } : {}),
      ...readCgroup(cgroup),
    };
  }

  return {
    snapshot(pid, comm) {
      if (!sees) return null;
      // Read in the order in which a dying process loses them: memory first, its /proc entry last.
      const executable = executableOf(pid);
      const maps = text(pid, 'maps') ?? '';
      const buildId = executable === null ? null : buildIdOf(proc(pid, 'exe'));
      // Read before the status: if the status can be read, so could the cgroup, and an empty cgroup then means that
      // there is no container.
      const cgroup = text(pid, 'cgroup') ?? '';
      const status = text(pid, 'status');
      if (status === null || !isNamed(status, comm)) return null;
      return { pid, maps, facts: factsOf(status, cgroup, executable, buildId) };
    },
    mapping({ pid, maps }, address) {
      const found = findMapping(maps, BigInt(`0x${address}`));
      if (found === null) return null;
      const id = buildIdOf(proc(pid, mapFile(found))) ?? buildIdOf(join(root, found.path), found.inode);
      return {
        file: found.path.slice(found.path.lastIndexOf('/') + 1),
        vmastart: Number(found.start),
        vmasize: Number(found.end - found.start),
        ...(id === null ? {} : { file_build_id: id }),
      };
    },
  };
}

/** Returns false in a separate pid namespace, where process ids differ from those that the kernel reports. */
function seesAllProcesses(root: string): boolean {
  const namespace = attempt(() => readlinkSync(join(root, 'proc/self/ns/pid')));
  return namespace === null || namespace === INITIAL_PID_NAMESPACE;
}

function mapFile({ start, end }: FileMapping): string {
  return `map_files/${start.toString(16)}-${end.toString(16)}`;
}

/** Returns true if the status belongs to the crashed process. `\` and newlines in a name are escaped there. */
function isNamed(status: string, comm: string | null): boolean {
  const name = /^Name:\t(.*)$/m.exec(status)?.[1]?.replaceAll('\\n', '\n').replaceAll('\\\\', '\\');
  return name !== undefined && (comm === null || name.trimStart() === comm.trimStart());
}

function attempt<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
