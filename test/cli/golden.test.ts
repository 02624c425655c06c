import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cli, hasScript, runAtTerminal } from './at-terminal.ts';
import { runIn, temporaryFolder } from './support.ts';

/** Runs a command line and answers all that it says. */
type Say = (args: readonly string[]) => Promise<string>;

const env = { MNEME_USER_ID: 'ann', NO_COLOR: '1', TZ: 'UTC', MNEME_TIMEZONE: 'UTC' };

function inPipe(home: string): Say {
  return async (args) => {
    const { stdout, stderr } = await runIn(home)(args, { env, input: '' });
    return stdout + stderr;
  };
}

function atTerminal(home: string): Say {
  const run = runAtTerminal(home);
  return async (args) => run(args, { env }).text;
}

/** Digits that differ from run to run, in as many characters, so that columns stay as they are. */
function steady(text: string, home: string): string {
  return text
    .replaceAll(home, '~')
    .replaceAll(cli, 'mneme/dist/cli.js')
    .replaceAll(process.execPath, 'node')
    .replaceAll(/[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/g, `<${'id'.padEnd(34, '.')}>`)
    .replaceAll(/\b[\da-f]{8}\b/g, '<id....>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replaceAll(/\d{4}-\d\d-\d\d/g, '<day.....>')
    .replaceAll(/\b\d\d:\d\d UTC\b/g, '##:## UTC')
    .replaceAll(/\b[01]\.\d\d\b/g, '#.##');
}

/** The command lines, each with what it says; `ID` is the short id of the first memory listed. */
async function record(home: string, say: Say, lines: readonly (readonly string[])[]) {
  const texts: string[] = [];
  for (const line of lines) {
    const listed = line.includes('ID') ? await inPipe(home)(['list']) : '';
    const args = line.map((word) => (word === 'ID' ? listed.slice(0, 8) : word));
    const said = await say(args);
    texts.push(`$ mneme ${line.join(' ')}\n${steady(said, home)}`);
  }
  return texts.join('\n');
}

const told = [
  'The bike is in the cellar, behind the old shelf that nobody has moved since the flood',
  'Ada is vegan',
  'Ada lives in Porto',
];

async function preparedHome(): Promise<string> {
  const home = temporaryFolder();
  const say = inPipe(home);
  for (const text of told) await say(['add', text]);
  return home;
}

async function withReview(home: string): Promise<void> {
  const say = inPipe(home);
  const { project_id } = JSON.parse(await say(['call', 'ping']));
  await say(['call', 'update_project', '--project-id', project_id, '--review', 'all']);
  await say(['add', 'Ada keeps bees']);
}

const places: [name: string, sayIn: (home: string) => Say][] = [
  ['pipe', inPipe],
  ...(hasScript ? [['terminal', atTerminal] as [string, (home: string) => Say]] : []),
];

if (!hasScript) it.skip('needs script of util-linux: nothing is recorded at a terminal');

describe.each(places)('in a %s of 80 columns', (name, sayIn) => {
  it('commands that read and undo say what they said before', async () => {
    const home = await preparedHome();
    const recorded = await record(home, sayIn(home), [
      ['list'],
      ['search', 'where is the bike'],
      ['show', 'ID'],
      ['history', 'ID'],
      ['stats'],
      ['context', 'where does Ada live'],
      ['review', 'list'],
    ]);
    await withReview(home);
    const changed = await record(home, sayIn(home), [
      ['review', 'list'],
      ['undo', '--yes'],
      ['list'],
    ]);

    await expect(`${recorded}\n${changed}`).toMatchFileSnapshot(`snapshots/reading-${name}.txt`);
  });

  it('a new user gets from init to undo', async () => {
    const home = temporaryFolder();
    mkdirSync(join(home, '.cursor'));

    const recorded = await record(home, sayIn(home), [
      ['init', 'cursor', '--yes'],
      ['list'],
      ['add', 'The bike is in the cellar'],
      ['add', 'Ada is vegan'],
      ['search', 'bike'],
      ['history', 'ID'],
      ['forget', 'ID', '--yes'],
      ['list'],
      ['undo', '--yes'],
      ['list'],
    ]);

    await expect(recorded).toMatchFileSnapshot(`snapshots/first-session-${name}.txt`);
  });
});
