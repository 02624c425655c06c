import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { applyPlan, createPlan } from '../../src/cli/init/apply-plan.ts';
import { planEntry, planRemoval } from '../../src/cli/init/plan-entry.ts';
import type { InitTarget } from '../../src/cli/init/target.ts';
import { randomBytesFor } from '../support/random-bytes.ts';
import { cursorWith, prepared, preparedPlace, start, targetFor } from './init-support.ts';

const text = `{
  // servers of mine
  "mcpServers": {
    "other": { "command": "x", "env": { "KEY": "secret" } } // keep
  }
}
`;
const entry = { command: 'npx', args: ['-y', 'mneme'] };

const connect = async (target: InitTarget) =>
  applyPlan(target, await createPlan(target, { undo: false }));
const undo = async (target: InitTarget) =>
  applyPlan(target, await createPlan(target, { undo: true }));
const read = (target: InitTarget) => readFileSync(target.file, 'utf8');
const besides = (target: InitTarget) =>
  readdirSync(dirname(target.file)).filter((name) => !target.file.endsWith(`/${name}`));

describe('connecting', () => {
  it('adds the entry and keeps the rest, and a copy of what was there', async () => {
    const target = cursorWith(preparedPlace(), text);

    const outcome = await connect(target);

    expect(outcome).toMatchObject({ change: 'add', done: true, problem: null });
    expect(read(target)).toContain('// servers of mine');
    expect(read(target)).toContain(
      '"other": { "command": "x", "env": { "KEY": "secret" } }, // keep',
    );
    expect(readFileSync(outcome.backup ?? '', 'utf8')).toBe(text);
    expect(besides(target)).toHaveLength(1);
  });

  it('makes a missing file and its folder, for its owner only', async () => {
    const target = targetFor('kiro', preparedPlace());

    const outcome = await connect(target);

    expect(outcome).toMatchObject({ change: 'add', done: true, backup: null });
    expect(JSON.parse(read(target))).toEqual({ mcpServers: { mneme: entry } });
    expect(statSync(target.file).mode & 0o777).toBe(0o600);
  });

  it('leaves a connected one alone', async () => {
    const target = cursorWith(preparedPlace(), text);
    await connect(target);
    const before = statSync(target.file).mtimeMs;

    const outcome = await connect(target);

    expect(outcome).toMatchObject({ change: 'none', backup: null });
    expect(statSync(target.file).mtimeMs).toBe(before);
  });

  it('changes an entry that somebody wrote, and keeps what mneme does not write', async () => {
    const mine = {
      command: 'old',
      args: [],
      disabled: true,
      env: { MNEME_USER_ID: 'eve', HTTPS_PROXY: 'p' },
    };
    const target = cursorWith(preparedPlace(), JSON.stringify({ mcpServers: { mneme: mine } }));

    const outcome = await connect(target);

    expect(outcome).toMatchObject({ change: 'replace', done: true });
    expect(JSON.parse(read(target)).mcpServers.mneme).toEqual({
      ...entry,
      disabled: true,
      env: { HTTPS_PROXY: 'p' },
    });
  });

  it.each([
    ['a mark at its start', '\uFEFF{\n  "a": 1\n}\n'],
    ['other line ends', '{\r\n  "a": 1\r\n}\r\n'],
    ['no line end', '{\n  "a": 1\n}'],
    ['tabs', '{\n\t"a": 1\n}\n'],
  ])('keeps %s', async (_, content) => {
    const target = cursorWith(preparedPlace(), content);

    await connect(target);

    const [before = '', after = ''] = content.split('1');
    expect(read(target).startsWith(`${before}1,`)).toBe(true);
    expect(read(target).endsWith(after)).toBe(true);
    expect(
      read(target)
        .split('\n')
        .slice(1, -1)
        .every((line) => line.endsWith('\r')),
    ).toBe(content.includes('\r'));
  });

  it('keeps the permissions', async () => {
    const target = cursorWith(preparedPlace(), text);
    chmodSync(target.file, 0o640);

    const { backup } = await connect(target);

    expect(statSync(target.file).mode & 0o777).toBe(0o640);
    expect(statSync(backup ?? '').mode & 0o777).toBe(0o640);
  });

  it('writes through a link', async () => {
    const place = preparedPlace();
    const real = prepared(place, 'dotfiles/cursor.json', text);
    mkdirSync(join(place.home, '.cursor'));
    symlinkSync(real, join(place.home, '.cursor/mcp.json'));
    const target = targetFor('cursor', place);

    const { backup } = await connect(target);

    expect(lstatSync(target.file).isSymbolicLink()).toBe(true);
    expect(readFileSync(real, 'utf8')).toContain('"mneme"');
    expect(dirname(backup ?? '')).toBe(dirname(real));
  });

  it.each([
    ['broken', '{\n  "mcpServers": {\n    "a": 1 "b": 2\n', '(line 3, column 12: unexpected text)'],
    ['cut off', '{ "mcpServers": {', '(line 1, column 17: the file ends too early)'],
    [
      'without a value',
      '{ "a": }',
      'not valid JSON (line 1, column 8: unexpected "}"); correct it',
    ],
    ['no JSON', 'hello', "(line 1, column 1: unexpected character 'h')"],
    ['not in UTF-8', Buffer.from('{ "a": "\xe9" }', 'latin1'), 'not in UTF-8'],
    ['in UTF-16', Buffer.from('\uFEFF{}', 'utf16le'), 'not in UTF-8'],
    ['a list', '[]', 'does not hold a JSON object'],
    ['of another shape', '{ "mcpServers": [] }', '"mcpServers" is not an object'],
    ['noise', randomBytesFor('noise', 2000), 'it '],
  ])('leaves a file that is %s untouched, and says where', async (_, content, problem) => {
    const target = cursorWith(preparedPlace(), content);

    const outcome = await connect(target);

    expect(outcome).toMatchObject({ change: 'refused', done: false });
    expect(outcome.problem).toContain(problem);
    expect(readFileSync(target.file)).toEqual(Buffer.from(content));
    expect(besides(target)).toEqual([]);
  });

  it.each([
    ['a folder', (path: string) => mkdirSync(path), 'not a regular file'],
    ['a link to nothing', (path: string) => symlinkSync('nowhere', path), 'does not exist'],
    ['read-only', (path: string) => writeFileSync(path, '{}', { mode: 0o444 }), 'read-only'],
  ])('leaves %s untouched', async (_, make, problem) => {
    const place = preparedPlace();
    mkdirSync(join(place.home, '.cursor'));
    make(join(place.home, '.cursor/mcp.json'));

    const outcome = await connect(targetFor('cursor', place));

    expect(outcome).toMatchObject({ change: 'refused', done: false });
    expect(outcome.problem).toContain(problem);
    expect(readdirSync(join(place.home, '.cursor'))).toEqual(['mcp.json']);
  });

  it('says that a part of the path is a file', async () => {
    const place = preparedPlace();
    prepared(place, '.cursor', 'x');

    const outcome = await connect(targetFor('cursor', place));

    expect(outcome.problem).toContain('a part of its path is a file');
  });

  it.each([
    ['changed', (path: string) => writeFileSync(path, '{ "b": 2 }')],
    ['removed', (path: string) => renameSync(path, `${path}.away`)],
  ])('writes nothing over a file that was %s in the meantime', async (_, change) => {
    const target = cursorWith(preparedPlace(), text);
    const plan = await createPlan(target, { undo: false });
    change(target.file);
    const names = readdirSync(dirname(target.file));

    const outcome = await applyPlan(target, plan);

    expect(outcome.problem).toBe('it was changed in the meantime; try again');
    expect(readdirSync(dirname(target.file))).toEqual(names);
  });

  it('writes nothing over a file that was made in the meantime', async () => {
    const place = preparedPlace();
    const target = targetFor('cursor', place);
    const plan = await createPlan(target, { undo: false });
    prepared(place, '.cursor/mcp.json', text);

    const outcome = await applyPlan(target, plan);

    expect(outcome.problem).toContain('in the meantime');
    expect(read(target)).toBe(text);
  });

  it('lets one of two processes write at a time, and forgets one that died', async () => {
    const target = cursorWith(preparedPlace(), text);
    const draft = join(dirname(target.file), '.mcp.json.mneme-draft');
    writeFileSync(draft, '');

    const first = await connect(target);
    utimesSync(draft, new Date(0), new Date(0));
    const second = await connect(target);

    expect(first.problem).toContain('another mneme process');
    expect(second).toMatchObject({ change: 'add', done: true });
    expect(existsSync(draft)).toBe(false);
  });

  it('loses nothing when many write at once', async () => {
    const target = cursorWith(preparedPlace(), text);
    const plans = await Promise.all(
      Array.from({ length: 8 }, () => createPlan(target, { undo: false })),
    );

    const outcomes = await Promise.all(plans.map((plan) => applyPlan(target, plan)));

    expect(outcomes.filter(({ done }) => done)).toHaveLength(1);
    expect(read(target)).toContain('"other"');
    expect(read(target).match(/"mneme"/g)).toHaveLength(2);
    expect(besides(target)).toHaveLength(1);
  });

  it('overwrites no backup, and keeps the first and the newest ones', async () => {
    const place = preparedPlace();
    const target = cursorWith(place, text);
    const versions = Array.from({ length: 9 }, (_, index) => ({
      ...target,
      entry: () => ({ ...entry, command: `v${index}` }),
    }));

    for (const version of versions) await connect(version);

    const kept = besides(target).map((name) => readFileSync(join(place.home, '.cursor', name)));
    expect(kept).toHaveLength(5);
    expect(kept.map(String).filter((content) => content === text)).toHaveLength(1);
    expect(kept.map(String).filter((content) => content.includes('v7'))).toHaveLength(1);
  });

  it('makes no file that would push aside another one', async () => {
    const outcome = await connect(targetFor('continue', preparedPlace()));

    expect(outcome.problem).toContain('would replace the configuration');
    expect(existsSync(targetFor('continue', preparedPlace()).file)).toBe(false);
  });
});

describe('undoing', () => {
  it('brings back every byte, and leaves no backup behind', async () => {
    const target = cursorWith(preparedPlace(), `\uFEFF${text.replaceAll('\n', '\r\n')}`);
    const before = readFileSync(target.file);
    await connect(target);

    const outcome = await undo(target);

    expect(outcome).toMatchObject({ change: 'restore', done: true });
    expect(readFileSync(target.file)).toEqual(before);
    expect(besides(target)).toEqual([]);
  });

  it('brings back what was there before several changes', async () => {
    const target = cursorWith(preparedPlace(), text);
    await connect(target);
    await connect({ ...target, entry: () => ({ command: 'two' }) });
    await connect({ ...target, entry: () => ({ command: 'three' }) });

    await undo(target);

    expect(read(target)).toBe(text);
    expect(besides(target)).toEqual([]);
  });

  it('brings back an entry that somebody had written', async () => {
    const mine = '{ "mcpServers": { "mneme": { "command": "mine" } } }';
    const target = cursorWith(preparedPlace(), mine);
    await connect(target);

    await undo(target);

    expect(read(target)).toBe(mine);
  });

  it('takes away a file that it made', async () => {
    const target = targetFor('cursor', preparedPlace());
    await connect(target);

    const outcome = await undo(target);

    expect(outcome).toMatchObject({ change: 'restore', done: true });
    expect(existsSync(target.file)).toBe(false);
  });

  it('keeps an empty file that was there', async () => {
    const target = cursorWith(preparedPlace(), '');
    await connect(target);

    await undo(target);

    expect(read(target)).toBe('');
  });

  it('takes out the entry alone when the file changed since', async () => {
    const target = cursorWith(preparedPlace(), text);
    await connect(target);
    writeFileSync(target.file, read(target).replace('"x"', '"y"'));

    const outcome = await undo(target);

    expect(outcome).toMatchObject({ change: 'remove', done: true });
    expect(read(target)).toBe(text.replace('"x"', '"y"'));
  });

  it('says when there is nothing to undo', async () => {
    const place = preparedPlace();

    expect(await undo(cursorWith(place, text))).toMatchObject({ change: 'none' });
    expect(await undo(targetFor('kiro', place))).toMatchObject({ change: 'none' });
  });

  it('leaves a broken file untouched', async () => {
    const target = cursorWith(preparedPlace(), '{ "mcpServers": { "mneme": ');

    const outcome = await undo(target);

    expect(outcome).toMatchObject({ change: 'refused' });
    expect(read(target)).toBe('{ "mcpServers": { "mneme": ');
  });
});

it('plans change nothing', async () => {
  const target = cursorWith(preparedPlace(), text);

  await planEntry(target);
  await planRemoval(target);

  expect(read(target)).toBe(text);
  expect(besides(target)).toEqual([]);
  expect(start.command).toBe('npx');
});
