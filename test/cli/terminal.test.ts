import { beforeAll, describe, expect, it } from 'vitest';
import { type AtTerminal, hasScript, runAtTerminal } from './at-terminal.ts';
import { runIn, temporaryFolder } from './support.ts';

const home = temporaryFolder();
const run = runAtTerminal(home);
const shortIds = new RegExp(`[\\da-f]{8}(?=${String.fromCharCode(27)}| {2})`, 'g');

/** What a terminal of 80 columns gets to see, ids left out. */
function atTerminal(args: readonly string[], options: AtTerminal = {}) {
  const { code, text } = run(args, options);
  return { code, text: text.replaceAll(shortIds, '<id....>') };
}

const plain = { env: { NO_COLOR: '1' } };
let vegan = '';

beforeAll(async () => {
  const run = runIn(home);
  const add = async (text: string) => {
    const { stdout } = await run(['add', text, '--user-id', 'ann', '--json']);
    return String(JSON.parse(stdout).results[0].id).slice(-8);
  };
  vegan = await add('Ada is vegan');
  await add(`The bike is in the cellar, behind ${'the old shelf, '.repeat(10)}`);
  await add('日本語で書かれた記憶'.repeat(10));
  await add('שלום \u001b[31m\u202eעולם');
}, 60_000);

describe.skipIf(!hasScript)('at a terminal of 80 columns (needs script of util-linux)', () => {
  it('list is a table that fits', () => {
    expect(atTerminal(['list', '--user-id', 'ann'], plain)).toEqual({
      code: 0,
      text: [
        'ID        CREATED   MEMORY',
        '<id....>  just now  \u2068שלום [31mעולם\u2069',
        '<id....>  just now  日本語で書かれた記憶日本語で書かれた記憶日本語で書かれた記…',
        '<id....>  just now  The bike is in the cellar, behind the old shelf, the old sh…',
        '<id....>  just now  Ada is vegan',
        '',
        '4 memories for user ann.',
        '',
      ].join('\n'),
    });
  });

  it('search shows scores', () => {
    const { text } = atTerminal(['search', 'vegan', '--user-id', 'ann'], plain);

    expect(text).toMatch(
      /^ID {8}SCORE {2}CREATED {3}MEMORY\n<id\.{4}> {2}[01]\.\d\d {3}just now {2}Ada/,
    );
  });

  it('shows colours, unless NO_COLOR is set', () => {
    expect(atTerminal(['list', '--user-id', 'ann']).text).toContain('\u001b[33m<id....>\u001b[39m');
    expect(atTerminal(['list', '--user-id', 'ann'], plain).text).not.toContain('\u001b[');
  });

  it('show puts the text first, then what is known', () => {
    const { text } = atTerminal(['show', vegan, '--user-id', 'ann'], plain);

    expect(text).toMatch(
      /^Ada is vegan\n\nid {12}[\da-f-]+\nuser_id {7}ann\ncreated_at {4}just now/,
    );
  });

  it('prints JSON without a heading or colours', () => {
    const { text } = atTerminal(['list', '--user-id', 'ann', '--json']);

    expect(JSON.parse(text).total).toBe(4);
  });

  it('erase shows what it erases and asks, and only yes erases', async () => {
    const { stdout } = await runIn(home)(['add', 'A goose', '--user-id', 'bob', '--json']);
    const id = String(JSON.parse(stdout).results[0].id).slice(-8);
    const erase = (input: string) => atTerminal(['erase', '--user-id', 'bob'], { ...plain, input });

    const no = erase('\n');
    const yes = erase('y\n');

    expect(no.code).toBe(1);
    expect(no.text).toContain('<id....>  just now  A goose');
    expect(no.text).toContain('Erase 1 memory for good, with history and all copies? [y/N]');
    expect(no.text).toContain('Nothing was changed.');
    expect(yes).toMatchObject({ code: 0, text: expect.stringContaining('erased 1 memory;') });
    expect((await runIn(home)(['history', id])).code).toBe(3);
  });

  it('forget asks, and only yes deletes', async () => {
    const { stdout } = await runIn(home)(['add', 'A goat', '--user-id', 'ann', '--json']);
    const id = String(JSON.parse(stdout).results[0].id).slice(-8);
    const forget = (input: string) => atTerminal(['forget', id], { ...plain, input });

    const no = forget('\n');
    const yes = forget('y\n');

    expect(no).toMatchObject({
      code: 1,
      text: expect.stringMatching(/A goat\n.*Forget it\? \[y\/N\]/),
    });
    expect(no.text).toContain('Nothing was changed.');
    expect(yes).toMatchObject({ code: 0, text: expect.stringContaining('Forgot 1 memory.') });
  });
});
