import { createImageTables } from '#analytics/detections/state/image-tables.ts';
import type { Host, Program } from '#analytics/detections/state/program.ts';
import { createHost, createProgram } from '#analytics/detections/state/program-store.ts';
import { createRepeatRings } from '#analytics/detections/state/repeated-crashes.ts';

/** A host in a new tracker. */
export function newHost(name = 'edge-1'): Host {
  return createHost(name, 1, { rings: createRepeatRings(), imageTables: createImageTables() });
}

let born = 1;

/** Another program of the host, created after the existing ones. */
export function newProgram(host: Host, name: string): Program {
  born += 1;
  return createProgram(host, name, name, born, 0);
}
