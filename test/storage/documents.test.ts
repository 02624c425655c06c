import { describe, expect, it } from 'vitest';
import { now } from './memory.ts';
import { makeStore } from './support.ts';

const settings = { id: 'settings', kind: 'profile_settings', now } as const;

describe('a document', () => {
  it('is found by project, kind and id', async () => {
    const { store, project, other } = await makeStore();
    const value = { enabled: true, about: 'ü "quoted"', list: [1, null] };
    await store.transaction((tx) => tx.documents.put(project, { ...settings, value }));

    expect(await store.documents.find(project, 'profile_settings', 'settings')).toEqual(value);
    expect(await store.documents.find(other, 'profile_settings', 'settings')).toBeNull();
    expect(await store.documents.find(project, 'profile', 'settings')).toBeNull();
    expect(await store.documents.find(project, 'profile_settings', 'unknown')).toBeNull();
  });

  it('is replaced by a second one', async () => {
    const { store, project } = await makeStore();
    await store.transaction(async (tx) => {
      await tx.documents.put(project, { ...settings, value: { a: 1 } });
      await tx.documents.put(project, { ...settings, value: { b: 2 } });
    });

    expect(await store.documents.find(project, 'profile_settings', 'settings')).toEqual({ b: 2 });
  });

  it('is deleted alone', async () => {
    const { store, project, other } = await makeStore();
    const profile = { id: 'ann', kind: 'profile', value: 1, now } as const;
    await store.transaction(async (tx) => {
      await tx.documents.put(project, profile);
      await tx.documents.put(project, { ...profile, kind: 'profile_job' });
      await tx.documents.put(other, profile);
      await tx.documents.delete(project, 'profile', 'ann');
    });

    expect(await store.documents.find(project, 'profile', 'ann')).toBeNull();
    expect(await store.documents.find(project, 'profile_job', 'ann')).toBe(1);
    expect(await store.documents.find(other, 'profile', 'ann')).toBe(1);
  });
});
