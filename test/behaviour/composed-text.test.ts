import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Engine, owner, startEngine } from '../support/engine.ts';

let engine: Engine;

beforeEach(async () => {
  engine = await startEngine();
});

afterEach(() => engine.stop());

/** One letter as one character, and as a letter with an accent after it, as macOS writes names. */
const [composed, decomposed] = ['Zoë'.normalize('NFC'), 'Zoë'.normalize('NFD')];

async function ids(input: Record<string, unknown>): Promise<string[]> {
  const { results } = await engine.invoke('get_memories', input, { caller: owner });
  return results.map(({ user_id }) => `${user_id}`);
}

describe('a letter with its accent apart is the same letter', () => {
  beforeEach(async () => {
    const metadata = { [`für ${decomposed}`]: `/photos/${decomposed}.png` };
    const added = { text: `Likes ${decomposed}`, user_id: decomposed, metadata };
    await engine.invoke('add_memory', added, { caller: owner });
  });

  it.each([composed, decomposed])('in ids', async (user_id) => {
    expect(await ids({ user_id })).toEqual([composed]);
    expect(await ids({ filters: { user_id: { in: [user_id] } } })).toEqual([composed]);
  });

  it.each([composed, decomposed])('in metadata, its keys too', async (name) => {
    expect(
      await ids({ user_id: composed, metadata: { [`für ${name}`]: `/photos/${name}.png` } }),
    ).toEqual([composed]);
    const filters = { [`metadata.für ${name}`]: { contains: name } };
    expect(await ids({ user_id: composed, filters })).toEqual([composed]);
  });

  it.each([composed, decomposed])('in texts', async (name) => {
    expect(await ids({ user_id: composed, filters: { text: { contains: name } } })).toEqual([
      composed,
    ]);
    const keywords = { contains: name };
    expect(await ids({ user_id: composed, filters: { keywords } })).toEqual([composed]);
  });

  it('as the owner that a delete names', async () => {
    await engine.invoke('delete_all_memories', { user_id: decomposed }, { caller: owner });

    expect(await ids({ user_id: composed })).toEqual([]);
  });
});
