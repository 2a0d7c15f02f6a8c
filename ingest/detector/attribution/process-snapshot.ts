import { closeSync, constants, fstatSync, openSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readBuildId } from './build-id.ts';
import type { ProcessFacts } from './process-facts.ts';
import { readCgroup } from './read-cgroup.ts';
import { type FileMapping, findMapping } from './read-maps.ts';

/** A process as it was when its signal was delivered: taken at once, because it is gone a moment later. */
export interface ProcessSnapshot {
  readonly pid: number;
  readonly facts: ProcessFacts;
  readonly maps: string;
}

/** What the mapping of the instruction pointer adds to an event. */
export interface MappingFacts {
  readonly file: string;
  readonly vmastart: number;
  readonly vmasize: number;
  /** GNU build id of that file. */
  readonly file_build_id?: string;
}

export interface ProcessReader {
  /** Null when the process is gone, or is another process with the same id. */
  snapshot(pid: number, comm: string | null): ProcessSnapshot | null;
  /** The mapping of a file that holds the address, hexadecimal digits; null where it is not known. */
  mapping(snapshot: ProcessSnapshot, address: string): MappingFacts | null;
}

/** Build ids that are remembered; the oldest gives way. */
const MAX_BUILD_IDS = 1_024;

/** PROC_PID_INIT_INO of the kernel. */
const INITIAL_PID_NAMESPACE = 'pid:[4026531836]';

/** Reads processes below `root`/proc. Synchronous: each moment that passes is one in which the process may disappear. */
export function createProcessReader(root: string): ProcessReader {
  const sees = seesAllProcesses(root);
  const buildIds = new Map<string, string | null>();
  const proc = (pid: number, name: string): string => join(root, 'proc', String(pid), name);
  const text = (pid: number, name: string): string | null => attempt(() => readFileSync(proc(pid, name), 'utf8'));

  /** The build id of a file, by its identity: each file is read once. `inode` is that of the mapping, where it must be that file. */
  function buildIdOf(path: string, inode?: number): string | null {
    return attempt(() => {
      // The path is that of a process of any user: to open a device there may change it, and a FIFO would block the detector.
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
      // In the order in which a dying process loses them: its memory first, its entry last.
      const executable = executableOf(pid);
      const maps = text(pid, 'maps') ?? '';
      const buildId = executable === null ? null : buildIdOf(proc(pid, 'exe'));
      // Before the status: where that is known, so is the cgroup, and its silence means that there is no container.
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

/** In a pid namespace of its own a detector sees other processes under the ids that the kernel reports. */
function seesAllProcesses(root: string): boolean {
  const namespace = attempt(() => readlinkSync(join(root, 'proc/self/ns/pid')));
  return namespace === null || namespace === INITIAL_PID_NAMESPACE;
}

function mapFile({ start, end }: FileMapping): string {
  return `map_files/${start.toString(16)}-${end.toString(16)}`;
}

/** Whether the status is that of the process that crashed. `\` and newlines in a name are escaped there. */
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
