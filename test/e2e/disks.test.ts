import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { storePath } from '../../src/storage/store.ts';
import { makeReadOnly, mayMount, mountDisk } from './disks.ts';
import {
  callOverWire,
  integrityOf,
  makeFolder,
  runProgram,
  shakeHands,
  startWire,
  type ToolResult,
  type Wire,
} from './support.ts';

const probe = mkdtempSync(join(tmpdir(), 'mneme-e2e-mount-'));
const mounts = mayMount(probe);
rmSync(probe, { recursive: true });

if (!mounts) it.skip('bad disks: this machine lets tests mount none', () => {});

describe.runIf(mounts)('a full disk', () => {
  it('refuses adds and says what to do, reads on, and adds again once there is space', async () => {
    const { data_dir, ballast } = await makeSmallDisk();
    const wire = startWire({ data_dir });
    await shakeHands(wire);

    const stored = await addUntilRefused(wire);
    const refused = await callOverWire(wire, 'add_memory', { text: 'too much '.repeat(1000) });
    const found = await callOverWire(wire, 'search_memories', { query: 'fact 3' });
    const listed = await callOverWire(wire, 'get_memories', { response_format: 'detailed' });
    rmSync(ballast);
    const again = await callOverWire(wire, 'add_memory', { text: 'There is space again' });

    expect(refused.structuredContent.error).toMatchObject({ code: 'unavailable' });
    expect(refused.content[0]?.text).toMatch(/no disk space left; free some/);
    expect(wire.stderr()).toMatch(/no disk space left; free some/);
    expect(found.isError).toBeFalsy();
    expect(listed.structuredContent.total).toBe(stored.length);
    expect(again.structuredContent).toMatchObject({ status: 'SUCCEEDED' });
  });

  it('loses nothing that was acknowledged, after a restart too', async () => {
    const { data_dir, ballast } = await makeSmallDisk();
    const first = startWire({ data_dir });
    const stored = await addUntilRefused(first);
    first.kill('SIGKILL');
    await first.exited;

    rmSync(ballast);
    const second = startWire({ data_dir });
    const answers = await Promise.all(
      stored.map((memory_id) => callOverWire(second, 'get_memory', { memory_id })),
    );

    expect(stored.length).toBeGreaterThan(3);
    expect(answers.filter(({ isError }) => isError)).toEqual([]);
    expect(await integrityOf(data_dir)).toEqual(['ok']);
  });

  // What found the disk full several times waits longer: a minute at most.
  it('finishes what was queued once there is space', { timeout: 100_000 }, async () => {
    const { data_dir, ballast } = await makeSmallDisk();
    const env = { MNEME_ADD_WAIT_MS: '0', MNEME_LEASE_MS: '1000' };
    const wire = startWire({ data_dir, env });

    const queued = await queueUntilRefused(wire);
    rmSync(ballast);
    const pending = async () => {
      const open = ['PENDING', 'RUNNING'].map((status) =>
        callOverWire(wire, 'list_events', { status }),
      );
      return (await Promise.all(open)).map(({ structuredContent }) => structuredContent.total);
    };
    await expect.poll(pending, { timeout: 80_000, interval: 200 }).toEqual([0, 0]);

    const failed = await callOverWire(wire, 'list_events', { status: 'FAILED' });
    expect(queued).toBeGreaterThan(3);
    expect(failed.structuredContent.total).toBe(0);
  });

  it('at the start is reported, and the store is created once there is space', async () => {
    const { data_dir, ballast } = await makeSmallDisk({ freeBytes: 60_000 });
    const wire = startWire({ data_dir });

    const { result } = await shakeHands(wire);
    const refused = await callOverWire(wire, 'add_memory', { text: 'Likes tea' });
    rmSync(ballast);
    const added = await callOverWire(wire, 'add_memory', { text: 'Likes tea' });

    expect(result).toMatchObject({ serverInfo: { name: 'mneme' } });
    expect(refused.content[0]?.text).toMatch(/no disk space left; free some/);
    expect(added.structuredContent).toMatchObject({ status: 'SUCCEEDED' });
    expect(await integrityOf(data_dir)).toEqual(['ok']);
  });
});

describe.runIf(mounts)('a read-only disk', () => {
  it.each([
    ['without a store', false],
    ['with a store', true],
  ])('%s is refused by every tool, on stderr and by doctor; nothing changes', async (_, filled) => {
    const disk = await makeFolder();
    mountDisk(disk, '32m');
    if (filled) await addOnce(disk);
    makeReadOnly(disk);
    const before = filled ? hashOf(storePath(disk)) : null;
    const wire = startWire({ data_dir: disk });

    const { result } = await shakeHands(wire);
    const added = await callOverWire(wire, 'add_memory', { text: 'Likes tea' });
    const found = await callOverWire(wire, 'search_memories', { query: 'tea' });
    wire.end();
    await wire.exited;
    const doctor = await runProgram({ data_dir: disk, flags: ['doctor'] });

    const says = 'make it and its folder writable, or choose another data folder';
    expect(result).toMatchObject({ serverInfo: { name: 'mneme' } });
    expect(added.content[0]?.text).toContain(says);
    expect(found.content[0]?.text).toContain(says);
    expect(wire.stderr()).toContain(says);
    expect(doctor.code).toBe(1);
    expect(doctor.wire.lines.join('\n')).toContain('Make the folder writable');
    expect(filled ? hashOf(storePath(disk)) : null).toBe(before);
  });
});

/** Without the ballast, there is room for the log of 4 MB beside the file that it is copied into. */
const diskBytes = 16 * 1024 * 1024;

/** A disk that a file takes most of. */
async function makeSmallDisk({ freeBytes = 2_500_000 } = {}) {
  const disk = await makeFolder();
  mountDisk(disk, `${diskBytes}`);
  const data_dir = join(disk, 'data');
  mkdirSync(data_dir);
  const ballast = join(disk, 'ballast');
  writeFileSync(ballast, Buffer.alloc(diskBytes - freeBytes));
  return { data_dir, ballast };
}

/** Fills the disk with memories; returns the ids of those that were acknowledged. */
async function addUntilRefused(wire: Wire): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const text = `Fact ${ids.length}: ${'word '.repeat(1500)}`;
    const { isError, structuredContent } = await callOverWire(wire, 'add_memory', { text });
    if (isError) return ids;
    const [result] = structuredContent.results as { id: string }[];
    ids.push(String(result?.id));
  }
}

/** Fills the disk with messages to extract from; returns how many were acknowledged. */
async function queueUntilRefused(wire: Wire): Promise<number> {
  for (let count = 0; ; count += 1) {
    const content = `I stored parcel ${count}. ${'I like the number nine. '.repeat(300)}`;
    const messages = [{ role: 'user', content }];
    const answer: ToolResult = await callOverWire(wire, 'add_memory', { messages });
    if (answer.isError) return count;
  }
}

async function addOnce(data_dir: string): Promise<void> {
  const wire = startWire({ data_dir });
  await callOverWire(wire, 'add_memory', { text: 'Likes tea' });
  wire.end();
  await wire.exited;
}

function hashOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}
