import { describe, expect, test } from 'vitest';
import { detectEventsFromText } from '#ingest/detector/detect-events.ts';
import type { KernelTrap } from '#schemas/events/versions/v1.ts';
import { isKernelFault } from '#schemas/kernel-fault.ts';

/** Reads a log, and returns the events without what no case states. */
function faults(text: string): object[] {
  return detectEventsFromText(text, { hostname: null }).map(({ event }) => {
    const trap = event as KernelTrap & { readonly process?: object; readonly kernel_fault?: object };
    expect(isKernelFault(trap), 'is a kernel fault').toBe(true);
    const { procname, pid, ip, sp, trap: kind, process, kernel_fault: facts, errcode } = trap;
    const { access_type: access, instruction_fetch: fetch, reason } = errcode;
    return {
      ...{ procname, pid, ip, sp, trap: kind, facts, access: fetch ? 'fetch' : access, reason },
      ...(process === undefined ? {} : { process }),
    };
  });
}

const NOTHING = { access: 'Read', reason: 'NoPageFound' };

/** Reports in the form of their kernels, shortened to one row of each kind. */
const REPORTS: Readonly<Record<string, readonly [log: string, event: object]>> = {
  'Linux 6.1, x86-64: execution of user memory': [
    `unable to execute userspace code (SMEP?) (uid: 1000)
BUG: unable to handle page fault for address: 0000000010101000
#PF: supervisor instruction fetch in kernel mode
#PF: error_code(0x0011) - permissions violation
PGD 10a06c067 P4D 10a06c067 PUD 10a06d067 PMD 10a06e067 PTE 10a06f067
Oops: 0011 [#1] PREEMPT SMP NOPTI
CPU: 1 PID: 4242 Comm: exploit Not tainted 6.1.0-22-amd64 #1  Debian 6.1.94-1
Hardware name: QEMU Standard PC (Q35 + ICH9, 2009), BIOS 1.16.2-1 04/01/2014
RIP: 0010:0x10101000
Code: Unable to access opcode bytes at 0x10100fd6.
RSP: 0018:ffffc900001e7dc0 EFLAGS: 00010246
RAX: 0000000010101000 RBX: ffff8881028f2a00 RCX: 0000000000000000
FS:  00007f5a3c2fd740(0000) GS:ffff88813bc80000(0000) knlGS:0000000000000000
CS:  0010 DS: 0000 ES: 0000 CR0: 0000000080050033
CR2: 0000000010101000 CR3: 000000010a06a000 CR4: 00000000001006e0
Call Trace:
 <TASK>
 ? __die+0x1a/0x60
 ? vuln_ioctl+0x40/0x90 [vuln]
 __x64_sys_ioctl+0x8b/0xc0
 do_syscall_64+0x55/0xb0
 entry_SYSCALL_64_after_hwframe+0x6e/0xd8
RIP: 0033:0x7f5a3c40b9cb
 </TASK>
---[ end trace 0000000000000000 ]---`,
    {
      procname: 'exploit',
      pid: 4242,
      ip: 0x1010_1000,
      sp: 0xffff_c900_001e_7dc0n,
      trap: { type: 'Segfault', location: 0x1010_1000 },
      access: 'fetch',
      reason: 'ProtectionFault',
      process: { uid: 1000 },
      facts: { report: 'unable to execute userspace code (SMEP?) (uid: 1000)', context: 'process', taint: '' },
    },
  ],
  'Linux 2.6.32, RHEL 6: a null pointer in a module': [
    `BUG: unable to handle kernel NULL pointer dereference at 0000000000000008
IP: [<ffffffffa02f1045>] nfs_direct_wait+0x25/0x60 [nfs]
PGD 1175c2067 PUD 11a0e2067 PMD 0
Oops: 0002 [#1] SMP
last sysfs file: /sys/devices/system/cpu/online
CPU 1
Modules linked in: nfs lockd fscache(T) nfs_acl
Pid: 2315, comm: dd Not tainted 2.6.32-431.el6.x86_64 #1 VMware, Inc.
RIP: 0010:[<ffffffffa02f1045>]  [<ffffffffa02f1045>] nfs_direct_wait+0x25/0x60 [nfs]
RSP: 0018:ffff88011a0c7e08  EFLAGS: 00010246
Process dd (pid: 2315, threadinfo ffff88011a0c6000, task ffff880037ba0aa0)
Call Trace:
 [<ffffffff8118a1c8>] vfs_read+0xb8/0x1a0
 [<ffffffff8100b072>] system_call_fastpath+0x16/0x1b
RIP  [<ffffffffa02f1045>] nfs_direct_wait+0x25/0x60 [nfs]
 RSP <ffff88011a0c7e08>
CR2: 0000000000000008
---[ end trace 6d450e935ee18ba7 ]---
Kernel panic - not syncing: Fatal exception`,
    {
      procname: 'dd',
      pid: 2315,
      ip: 0xffff_ffff_a02f_1045n,
      sp: 0xffff_8801_1a0c_7e08n,
      trap: { type: 'Segfault', location: 8 },
      access: 'Write',
      reason: 'NoPageFound',
      facts: {
        report: 'BUG: unable to handle kernel NULL pointer dereference at 0000000000000008',
        symbol: 'nfs_direct_wait+0x25/0x60',
        module: 'nfs',
        context: 'process',
        taint: '',
      },
    },
  ],
  'Linux 5.8, Ubuntu: a wrong copy with modules out of tree': [
    `usercopy: Kernel memory exposure attempt detected from SLUB object 'sock_inode_cache' (offset 177, size 29007)!
------------[ cut here ]------------
kernel BUG at mm/usercopy.c:99!
invalid opcode: 0000 [#1] SMP PTI
CPU: 16 PID: 2373466 Comm: qbittorrent-nox Kdump: loaded Tainted: P           OE     5.8.0-63-generic #71~20.04.1-Ubuntu
RIP: 0010:usercopy_abort+0x7b/0x7d
RSP: 0018:ffffb7a230bffb50 EFLAGS: 00010246`,
    {
      ...NOTHING,
      procname: 'qbittorrent-nox',
      pid: 2373466,
      ip: 0,
      sp: 0xffff_b7a2_30bf_fb50n,
      trap: {
        type: 'Generic',
        description:
          "usercopy: Kernel memory exposure attempt detected from SLUB object 'sock_inode_cache' (offset 177, size 29007)! at usercopy_abort+0x7b/0x7d",
      },
      facts: {
        report:
          "usercopy: Kernel memory exposure attempt detected from SLUB object 'sock_inode_cache' (offset 177, size 29007)!",
        symbol: 'usercopy_abort+0x7b/0x7d',
        taint: 'POE',
      },
    },
  ],
  'Linux 6.12: a general protection fault in a worker': [
    `Oops: general protection fault, probably for non-canonical address 0xdead000000000122: 0000 [#1] PREEMPT SMP NOPTI
CPU: 0 UID: 0 PID: 77 Comm: kworker/0:2 Tainted: G        W          6.12.20-amd64 #1
Tainted: [W]=WARN
Workqueue: events nf_tables_trans_destroy_work [nf_tables]
RIP: 0010:nft_set_destroy+0x2d/0x110 [nf_tables]
RSP: 0018:ffffa4e1c0297d90 EFLAGS: 00010246`,
    {
      ...NOTHING,
      procname: 'kworker/0:2',
      pid: 77,
      ip: 0,
      sp: 0xffff_a4e1_c029_7d90n,
      trap: { type: 'GeneralProtectionFault' },
      process: { uid: 0 },
      facts: {
        report:
          'Oops: general protection fault, probably for non-canonical address 0xdead000000000122: 0000 [#1] PREEMPT SMP NOPTI',
        symbol: 'nft_set_destroy+0x2d/0x110',
        module: 'nf_tables',
        context: 'kernel thread',
        taint: 'W',
      },
    },
  ],
  'Linux 5.19, arm64: user memory outside of copy functions': [
    `Unable to handle kernel access to user memory outside uaccess routines at virtual address 00000000ffc4a5c8
Mem abort info:
  ESR = 0x000000009600004f
  EC = 0x25: DABT (current EL), IL = 32 bits
Data abort info:
  CM = 0, WnR = 1
user pgtable: 4k pages, 48-bit VAs, pgdp=0000000001909000
Internal error: Oops: 9600004f [#1] PREEMPT SMP
CPU: 0 PID: 247 Comm: systemd-udevd Not tainted 5.19.0-rc6+ #12437
pstate: 80400009 (Nzcv daif +PAN -UAO -TCO -DIT -SSBS BTYPE=--)
pc : get_compat_msghdr+0xd0/0x1b0
lr : get_compat_msghdr+0xcc/0x1b0
sp : ffff80000c2bbb90
Call trace:
 get_compat_msghdr+0xd0/0x1b0
 el0_svc_compat_common.constprop.0+0x4c/0xfc
---[ end trace 0000000000000000 ]---`,
    {
      procname: 'systemd-udevd',
      pid: 247,
      ip: 0,
      sp: 0xffff_8000_0c2b_bb90n,
      trap: { type: 'Segfault', location: 0xffc4_a5c8 },
      access: 'Write',
      reason: 'ProtectionFault',
      facts: {
        report:
          'Unable to handle kernel access to user memory outside uaccess routines at virtual address 00000000ffc4a5c8',
        symbol: 'get_compat_msghdr+0xd0/0x1b0',
        context: 'process',
        taint: '',
      },
    },
  ],
  'Linux 4.13, 32-bit ARM': [
    `Unable to handle kernel paging request at virtual address 12005456
pgd = 8cab8000
[12005456] *pgd=00000000
Internal error: Oops: 805 [#1] ARM
CPU: 0 PID: 919 Comm: env Not tainted 4.13.16-d86bf903 #1
Hardware name: Generic DT based system
PC is at unlink_anon_vmas+0xbc/0x1f4
LR is at 0x12005452
pc : [<802044a8>]    lr : [<12005452>]    psr: a0000013
sp : 8caadc90  ip : 00000100  fp : 8caadcc4`,
    {
      procname: 'env',
      pid: 919,
      ip: 0x8020_44a8,
      sp: 0x8caa_dc90,
      trap: { type: 'Segfault', location: 0x1200_5456 },
      access: 'Write',
      reason: 'NoPageFound',
      facts: {
        report: 'Unable to handle kernel paging request at virtual address 12005456',
        symbol: 'unlink_anon_vmas+0xbc/0x1f4',
        taint: '',
      },
    },
  ],
  'Linux 6.19: KASAN, whose stacks of the past show no context': [
    `BUG: KASAN: slab-use-after-free in nft_chain_lookup+0x1cd/0x25c
Write of size 4 at addr ff110001148d0034 by task poc/1101

CPU: 7 UID: 1000 PID: 1101 Comm: poc Not tainted 6.19.0 #47 PREEMPT(lazy)
Call Trace:
 <TASK>
 dump_stack_lvl+0xc6/0x120
Allocated by task 77:
 ret_from_fork+0x31/0x50
==================================================================`,
    {
      access: 'Write',
      reason: 'NoPageFound',
      procname: 'poc',
      pid: 1101,
      ip: 0,
      sp: 0,
      trap: { type: 'Generic', description: 'BUG: KASAN: slab-use-after-free in nft_chain_lookup+0x1cd/0x25c' },
      process: { uid: 1000 },
      facts: { report: 'BUG: KASAN: slab-use-after-free in nft_chain_lookup+0x1cd/0x25c', taint: '' },
    },
  ],
};

test.each(Object.entries(REPORTS))('%s', (_, [log, event]) => {
  expect(faults(log)).toEqual([event]);
});

/** Words of checks and exceptions, and the type of the trap. */
test.each([
  ['kernel tried to execute NX-protected page - exploit attempt? (uid: 1000)', 'Generic'],
  ['refcount_t: underflow; use-after-free.', 'Generic'],
  ['refcount_t: addition on 0; use-after-free.', 'Generic'],
  ['list_del corruption, ffff888105e4c010->next is LIST_POISON1 (dead000000000100)', 'Generic'],
  ['list_add corruption. next->prev should be prev (ffff8881), but was dead000000000122. (next=ffff8882).', 'Generic'],
  ['BUG: KFENCE: use-after-free read in test_use_after_free_read+0xb3/0x143', 'Generic'],
  ['BUG kmalloc-64 (Tainted: G    B   W  OE    ): Object already free', 'Generic'],
  ['CFI failure at kobject_put+0xbb/0x1b0 (target: kfree+0x0/0x180; expected type: 0x7c4aa698)', 'Generic'],
  ['traps: Missing ENDBR: bpf_kfunc_call_test_release+0x0/0x30', 'Generic'],
  ['Kernel panic - not syncing: stack-protector: Kernel stack is corrupted in: vuln_write+0x9d/0xa0 [vuln]', 'Generic'],
  ['detected buffer overflow in strlen', 'Generic'],
  ['memcpy: detected buffer overflow: 40 byte write of buffer size 32', 'Generic'],
  ['traps: PANIC: double fault, error_code: 0x0', 'Generic'],
  ['BUG: stack guard page was hit at 00000000f3a2 (stack is 00000000a1..00000000b2)', 'Generic'],
  ['BUG: Bad page map in process nginx  pte:8000000123 pmd:45678067', 'Generic'],
  ['kernel BUG at mm/slub.c:305!', 'Generic'],
  ['double fault: 0000 [#1] PREEMPT SMP PTI', 'Generic'],
  ['Unable to handle kernel NULL pointer dereference at 0000000000000000 RIP: ', 'Segfault'],
  ['BUG: unable to handle kernel paging request at ffffffff93eb1990', 'Segfault'],
  ['BUG: unable to handle kernel NULL pointer dereference at           (null)', 'Segfault'],
  ['BUG: Kernel NULL pointer dereference on read at 0x00000000', 'Segfault'],
  ['Unable to handle kernel execution of user memory at virtual address 0000000000401000', 'Segfault'],
  ['Kernel attempted to read user page (7fff8b2a0000) - exploit attempt? (uid: 1000)', 'Segfault'],
  ['general protection fault: 0000 [#1] SMP', 'GeneralProtectionFault'],
  ['invalid opcode: 0000 [#1] SMP', 'InvalidOpcode'],
  ['Internal error: Oops - undefined instruction: 0 [#1] SMP ARM', 'InvalidOpcode'],
  ['Oops - illegal instruction [#1]', 'Generic'],
])('one line is enough: %s', (text, type) => {
  expect(faults(text)).toMatchObject([{ trap: { type }, pid: 0, ip: 0, sp: 0 }]);
});

test.each([
  'watchdog: BUG: soft lockup - CPU#0 stuck for 22s! [stress:1234]',
  'BUG: scheduling while atomic: swapper/0/0/0x00000002',
  'BUG: workqueue lockup - pool cpus=0 node=0 flags=0x0 nice=0 stuck for 32s!',
  'BUG: Bad rss-counter state mm:00000000b2b1 type:MM_ANONPAGES val:1',
  'INFO: task jbd2/sda1-8:123 blocked for more than 120 seconds.',
  'Out of memory: Killed process 1234 (java) total-vm:1kB, anon-rss:1kB',
  'mce: [Hardware Error]: Machine check events logged',
  'EDAC MC0: 1 CE memory read error on CPU_SrcID#0_Ha#0_Chan#0_DIMM#0',
  'Kernel panic - not syncing: VFS: Unable to mount root fs on unknown-block(0,0)',
  'Kernel panic - not syncing: Fatal exception in interrupt',
  'Internal error: synchronous external abort: 96000210 [#1] SMP',
  'UBSAN: array-index-out-of-bounds in drivers/net/ethernet/x.c:12:3',
  '------------[ cut here ]------------\nWARNING: CPU: 2 PID: 12 at drivers/gpu/drm/drm_fb.c:3 drm_fb+0x1/0x2 [drm]\nRIP: 0010:drm_fb+0x1/0x2',
  'memcpy: detected field-spanning write (size 16) of single field "x" at net/x.c:1 (size 4)',
])('no event: %s', (text) => {
  expect(detectEventsFromText(text, { hostname: null })).toEqual([]);
});

describe('lines that belong together', () => {
  const header = (at: string) => `BUG: kernel NULL pointer dereference, address: ${at}`;
  const cpu = (pid: number) => `CPU: 0 PID: ${pid} Comm: p${pid} Not tainted 6.1.0 #1`;

  test('two processors with callers do not mix', () => {
    const log = [
      `[    1.000000][   T10] ${header('0000000000000008')}`,
      `[    1.000001][   T11] ${header('0000000000000010')}`,
      `[    1.000002][   T11] ${cpu(11)}`,
      `[    1.000003][   T10] ${cpu(10)}`,
    ];
    expect(faults(log.join('\n'))).toMatchObject([
      { trap: { location: 8 }, pid: 10 },
      { trap: { location: 16 }, pid: 11 },
    ]);
  });

  test('reports that follow each other are several, with and without the end of the first', () => {
    for (const end of [['---[ end trace 0000000000000000 ]---'], []]) {
      const log = [header('0000000000000008'), cpu(10), ...end, header('0000000000000010'), cpu(11)];
      expect(faults(log.join('\n'))).toMatchObject([{ pid: 10 }, { pid: 11 }]);
    }
  });

  test('a report whose first lines are lost begins at the next of them', () => {
    expect(faults(`Oops: 0003 [#1] SMP PTI\n${cpu(10)}\nRIP: 0010:foo+0x1/0x20`)).toMatchObject([
      { pid: 10, trap: { type: 'Generic', description: 'Oops: 0003 [#1] SMP PTI at foo+0x1/0x20' }, access: 'Write' },
    ]);
  });

  test('rows that follow much later belong to no report', () => {
    const log = [`[    1.000000] ${header('0000000000000008')}`, `[   60.000000] ${cpu(10)}`];
    expect(faults(log.join('\n'))).toMatchObject([{ pid: 0, procname: '' }]);
  });

  test('an interrupt that hits a program does not happen for it', () => {
    const log = `${header('0000000000000008')}\n${cpu(10)}\nCall Trace:\n <IRQ>\n foo+0x1/0x2\n </IRQ>\n <TASK>\n do_syscall_64+0x1/0x2`;
    expect(faults(log)).toMatchObject([{ facts: { context: 'interrupt' } }]);
  });

  test('a thread of io_uring works for its program', () => {
    const log = `${header('0000000000000008')}\nCPU: 0 PID: 10 Comm: iou-wrk-9 Not tainted 6.1.0 #1\nCall Trace:\n ret_from_fork+0x1/0x2`;
    expect(faults(log)).toMatchObject([{ facts: { context: 'process' } }]);
  });

  test('a message of a program in the kernel log is no fault', () => {
    expect(detectEventsFromText(`<9>${header('0000000000000008')}`, { hostname: null })).toEqual([]);
  });

  test.each([
    ['/dev/kmsg', (text: string, i: number) => `1,${100 + i},${1_000_000 + i},-;${text}`],
    ['dmesg', (text: string) => `[    1.000000] ${text}`],
    ['syslog', (text: string) => `Nov 27 10:00:00 host kernel: [    1.000000] ${text}`],
    ['journal', (text: string) => `Nov 27 10:00:00 host kernel: ${text}`],
  ])('the report is read in the format of %s', (_, line) => {
    const [log] = REPORTS['Linux 6.1, x86-64: execution of user memory'] as readonly [string, object];
    expect(faults(log.split('\n').map(line).join('\n'))).toMatchObject([
      { procname: 'exploit', pid: 4242, ip: 0x1010_1000, access: 'fetch', process: { uid: 1000 } },
    ]);
  });
});
