import { expect, test } from 'vitest';
import { dump } from '#analytics/detections/rule-case.ts';
import { FORMATS } from '#analytics/formats/formats.ts';
import { processFacts } from '#schemas/events/process-facts.ts';
import type { EventType } from '#schemas/events/versions/v1.ts';
import { detection, record, tampering } from './samples.ts';

const CONTAINER = '3b8b55a8c6c2d2f4c9d0e1f2a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6';
const POD = '4d6e7f80-1a2b-4c3d-8e4f-5a6b7c8d9e0f';
const crash = {
  ...dump({ PID: '7', Comm: 'nginx' }),
  file: 'libc.so.6',
  vmastart: 4096,
  vmasize: 8192,
  process: {
    executable: '/usr/sbin/nginx',
    build_id: 'd1c3e919',
    uid: 33,
    parent: { pid: 1, name: 'systemd', executable: '/usr/lib/systemd/systemd' },
    unit: 'nginx.service',
    container: { id: CONTAINER, runtime: 'containerd' },
    pod: { uid: POD },
  },
} as EventType;

test('ECS: process, parent, user, container and orchestrator', () => {
  expect(JSON.parse(FORMATS.ecs.event?.(record(crash)) ?? '')).toMatchObject({
    process: {
      name: 'nginx',
      executable: '/usr/sbin/nginx',
      parent: { pid: 1, name: 'systemd', executable: '/usr/lib/systemd/systemd' },
    },
    user: { id: '33' },
    file: { name: 'libc.so.6' },
    container: { id: CONTAINER, runtime: 'containerd' },
    orchestrator: { type: 'kubernetes', resource: { type: 'pod', id: POD } },
    trapline: { unit: 'nginx.service', build_id: 'd1c3e919' },
  });
});

test('OCSF: executable, parent, user, and the container with its profile', () => {
  expect(JSON.parse(FORMATS.ocsf.event?.(record(crash)) ?? '')).toMatchObject({
    process: {
      file: { name: 'nginx', path: '/usr/sbin/nginx' },
      user: { uid: '33' },
      parent_process: { pid: 1, name: 'systemd' },
      container: { uid: CONTAINER, runtime: 'containerd', pod_uuid: POD },
    },
    metadata: { profiles: ['host', 'container'] },
    unmapped: { unit: 'nginx.service', build_id: 'd1c3e919' },
  });
});

test('ECS and OCSF of a detection: facts shared by all of its crashes', () => {
  const { executable, uid, parent, unit, buildId, container, pod } = detection;
  expect(JSON.parse(FORMATS.ecs.detection?.(detection) ?? '')).toMatchObject({
    process: { name: 'edge-gw', executable, parent: { name: 'systemd', executable: parent } },
    user: { id: String(uid) },
    container: { id: container },
    orchestrator: { type: 'kubernetes', resource: { type: 'pod', id: pod } },
    trapline: { unit, build_id: buildId },
  });
  expect(JSON.parse(FORMATS.ocsf.detection?.(detection) ?? '')).toMatchObject({
    evidences: [{ user: { uid: '33' }, container: { uid: container, pod_uuid: pod } }],
    unmapped: { executable, parent, unit, build_id: buildId },
  });
  expect(JSON.parse(FORMATS.ecs.detection?.({ ...detection, parent: 'systemd' }) ?? '')).toMatchObject({
    process: { parent: { name: 'systemd' } },
  });
  const document = JSON.parse(FORMATS.ecs.detection?.(tampering) ?? '') as object;
  for (const group of ['user', 'container', 'orchestrator']) expect(document).not.toHaveProperty(group);
});

test.each([
  ['no object', 'nginx'],
  ['a list', [1]],
  ['members of other types', { uid: '33', parent: 1, container: { id: 5 }, pod: null, executable: '' }],
  ['a user id beyond 32 bits', { uid: 2 ** 40 }],
])('an extension of that name that is %s gives no facts', (_case, process) => {
  const event = { ...dump({ PID: '7', Comm: 'nginx' }), process } as EventType;
  expect(Object.values(processFacts(event) ?? {}).every((value) => value === null)).toBe(true);
  const ecs = JSON.parse(FORMATS.ecs.event?.(record(event)) ?? '') as object;
  for (const group of ['user', 'container', 'orchestrator']) expect(ecs).not.toHaveProperty(group);
});
