import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createKeyUsageRecorder } from '../../src/core/jobs/key-usage.ts';
import { createKey } from '../../src/core/tenants/keys.ts';
import { type Engine, startEngine } from '../support/engine.ts';
import { eventually } from '../support/eventually.ts';

describe('when a key was used last', () => {
  let engine: Engine;

  beforeEach(async () => {
    engine = await startEngine();
  });
  afterEach(async () => {
    await engine.stop();
  });

  async function makeKey(): Promise<string> {
    const about = { name: 'test', email: null, read_only: false, expires_at: null };
    const made = await createKey(engine.deps, { ...about, org_id: null, project_id: null });
    return made.record.key_id;
  }

  async function lastUseOf(wanted: string) {
    return (await engine.store.keys.list()).find(({ key_id }) => key_id === wanted)?.last_used_at;
  }

  it('is written some time after, and not for keys that were not used', async () => {
    const [used, idle] = [await makeKey(), await makeKey()];
    const uses = createKeyUsageRecorder(engine.deps, 5);

    uses.record(used);

    await eventually(async () => expect(await lastUseOf(used)).toBe(engine.clock.now()));
    expect(await lastUseOf(idle)).toBeNull();
    await uses.stop();
  });

  it('is written when the server stops', async () => {
    const used = await makeKey();
    const uses = createKeyUsageRecorder(engine.deps);

    uses.record(used);
    await uses.stop();

    expect(await lastUseOf(used)).toBe(engine.clock.now());
  });

  it('fails nothing where it can not be written', async () => {
    const told: unknown[] = [];
    const transaction = () => Promise.reject(new Error('the disk is full'));
    const uses = createKeyUsageRecorder({
      store: { transaction },
      clock: engine.clock,
      log: (level, message, about) => told.push([level, message, about]),
    });

    uses.record('01957f3a-0000-7000-8000-000000000001');
    await uses.stop();

    expect(told).toEqual([
      ['warn', 'API key usage could not be recorded', { keys: 1, error: 'the disk is full' }],
    ]);
  });
});
