import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Served, serveUntilEnd } from './serve-support.ts';
import { type RunOptions, runIn, temporaryFolder } from './support.ts';

const api_key = 'mk_0123456789abcdefghijABCDEFGHIJ0123456789abc';
const far = temporaryFolder();
let service: Served;
beforeAll(async () => {
  service = await serveUntilEnd(far, { MNEME_BOOTSTRAP_KEY: api_key });
});
afterAll(async () => void (await service.end()));

let users = 0;

/** An owner without memories, on a store of this machine or on another instance. */
function prepared(place: string) {
  const home = temporaryFolder();
  const remote = { MNEME_BASE_URL: service.url, MNEME_API_KEY: api_key };
  users += 1;
  const own = {
    MNEME_USER_ID: `user-${users}`,
    TMPDIR: home,
    ...(place === 'remote' && remote),
  };
  const run = (args: readonly string[], { env, ...options }: RunOptions = {}) =>
    runIn(home)(args, { ...options, env: { ...own, ...env } });
  const add = async (text: string) => {
    const { stdout } = await run(['add', text, '--json']);
    return String(JSON.parse(stdout).results[0].id).slice(-8);
  };
  const editor = (script: string) => {
    const file = join(home, 'editor.sh');
    writeFileSync(file, `#!/bin/sh\n${script}\n`);
    chmodSync(file, 0o700);
    return { env: { EDITOR: file } };
  };
  return { home, run, add, editor };
}

describe.each(['embedded', 'remote'])('on an %s store', (place) => {
  it('list prints a line for each memory, newest first, and search the best first', async () => {
    const { run, add } = prepared(place);
    const bike = await add('The bike is in the cellar');
    const cat = await add('The cat\nis called Tom');

    const listed = await run(['list']);
    const page = await run(['list', '--page', '2', '--page-size', '1', '--json']);
    const found = await run(['search', 'where is the bike']);

    expect(listed).toMatchObject({ code: 0, stderr: '' });
    const time = '\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z';
    const lines = [`${cat}\t${time}\tThe cat is called Tom`, `${bike}\t${time}\tThe bike is in`];
    expect(listed.stdout).toMatch(new RegExp(`^${lines.join('\n')} the cellar\n$`));
    expect(JSON.parse(page.stdout)).toMatchObject({
      total: 2,
      page: 2,
      results: [{ memory: 'The bike is in the cellar' }],
    });
    expect(found.stdout).toMatch(new RegExp(`^${bike}  `));
  });

  it('show tells what is known of a memory', async () => {
    const { run, add } = prepared(place);
    const id = await add('Ada is vegan');

    const { stdout } = await run(['show', id]);
    const json = await run(['show', id, '--json']);

    expect(stdout).toMatch(new RegExp(`^memory\tAda is vegan\nid\t[\\da-f-]+${id}\nuser_id\t`));
    expect(JSON.parse(json.stdout)).toMatchObject({ memory: 'Ada is vegan' });
  });

  it('edit stores what the editor changed, and history tells of it', async () => {
    const { run, add, editor } = prepared(place);
    const id = await add('Ada is vegan');

    const same = await run(['edit', id], editor('true'));
    const edited = await run(['edit', id], editor('sed -i.bak s/vegan/vegetarian/ "$1"'));
    const history = await run(['history', id]);

    expect(same).toMatchObject({ code: 0, stdout: '', stderr: 'Nothing was changed.\n' });
    expect(edited.stdout).toBe(`  changed  ${id}  Ada is vegetarian\n`);
    expect(history.stdout.replace(/^[\d-]+T[\d:.]+Z/gm, 'TIME')).toBe(
      'TIME\tADD\tAda is vegan\nTIME\tUPDATE\tAda is vegetarian\n',
    );
  });

  it('edit does not overwrite what another stored meanwhile, and keeps the text', async () => {
    const { home, run, add, editor } = prepared(place);
    const id = await add('Ada is vegan');
    const other = `"${process.execPath}" "${join(import.meta.dirname, '../../dist/cli.js')}"`;
    const race = `${other} call update_memory --memory-id ${id} --text "Ada eats fish" >&2`;

    const lost = await run(['edit', id], editor(`${race}; echo mine > "$1"`));
    const shown = await run(['show', id]);

    expect(lost).toMatchObject({ code: 4, stdout: '' });
    expect(lost.stderr).toContain('it says now: Ada eats fish');
    const [, file = ''] = /Your text is in (.*)/.exec(lost.stderr) ?? [];
    expect(readFileSync(file, 'utf8')).toBe('mine\n');
    expect(shown.stdout).toMatch(/^memory\tAda eats fish\n/);
    expect(existsSync(home)).toBe(true);
  });

  it.each([
    ['exit 3', 1, 'ended with 3'],
    [': > "$1"', 2, 'the text is empty'],
    ['head -c 200000 /dev/zero | tr "\\0" x > "$1"', 2, /text: .*32,?000/],
  ])('edit changes nothing when the editor does: %s', async (script, code, message) => {
    const { run, add, editor } = prepared(place);
    const id = await add('Ada is vegan');

    const failed = await run(['edit', id], editor(script));

    expect(failed.code).toBe(code);
    expect(failed.stderr).toMatch(message);
    expect((await run(['show', id])).stdout).toMatch(/^memory\tAda is vegan\n/);
  });

  it('forget deletes with --yes, all or none, and refuses where nobody can be asked', async () => {
    const { run, add } = prepared(place);
    const [one, two] = [await add('Ada is vegan'), await add('Ada has a goat')];

    const asked = await run(['forget', one]);
    const partly = await run(['forget', one, 'ffffffff', '--yes']);
    const kept = await run(['list']);
    const both = await run(['forget', one, two, one, '--yes']);

    expect(asked).toMatchObject({ code: 2, stdout: '' });
    expect(asked.stderr).toMatch(/Ada is vegan\n.*forgets 1 memory.*\nAdd --yes/);
    expect(partly.code).toBe(3);
    expect(kept.stdout.split('\n')).toHaveLength(3);
    expect(both).toMatchObject({ code: 0, stdout: 'Forgot 2 memories.\n' });
    expect((await run(['history', one])).stdout).toMatch(/ADD.*\n.*DELETE\tAda is vegan\n$/);
  });

  it('stats counts', async () => {
    const { run, add } = prepared(place);
    await add('Ada is vegan');

    const { stdout } = await run(['stats']);
    const json = await run(['stats', '--json']);

    expect(stdout).toMatch(/^memories\t\d+\nusers\t\d+\n/);
    expect(JSON.parse(json.stdout).total_memories).toBeGreaterThan(0);
  });

  it.each(['show', 'edit', 'history', 'forget'])('%s names an unknown id', async (command) => {
    const { run } = prepared(place);

    const unknown = await run([command, '0badf00d']);
    const wrong = await run([command, 'nonsense', '--json']);

    expect(unknown).toMatchObject({ code: 3, stdout: '' });
    expect(unknown.stderr).toContain('0badf00d');
    expect(wrong.code).toBe(2);
    expect(JSON.parse(wrong.stderr).error.fields).toHaveProperty('memory_id');
  });

  it('an empty store says so on standard error', async () => {
    const { run } = prepared(place);

    expect(await run(['list'])).toMatchObject({
      code: 0,
      stdout: '',
      stderr: `Nothing is remembered for user user-${users}.\n`,
    });
  });

  it('add, list, search and show name what a memory may replace', async () => {
    const { run, add } = prepared(place);
    const old = await add('I live in Ghent');

    const added = await run(['add', 'I live in Hull']);

    const told = `may contradict ${old}: I live in Ghent; mneme edit or mneme forget decides`;
    expect(added.stdout.replace(/\s+/g, ' ')).toContain(`I live in Hull (${told})`);
    const line = `I live in Hull (may replace ${old})\n`;
    const listed = await run(['list']);
    expect(listed.stdout).toContain(line);
    expect(listed.stdout).toMatch(/I live in Ghent\n$/);
    const [found = ''] = (await run(['search', 'where do I live'])).stdout.split('\n');
    expect(found).toContain(`(may replace ${old})`);
    const id = /^\w{8}/.exec(found)?.[0] ?? '';
    expect((await run(['show', id])).stdout).toMatch(new RegExp(`may_replace\\W+${old}`));
  });
});

describe('what a command may not do', () => {
  it('is hidden in another project, which reading does not make', async () => {
    const { run, add } = prepared('embedded');
    const id = await add('Ada is vegan');
    await run(['add', 'Elsewhere', '--project-id', 'other']);

    const hidden = await run(['show', id, '--project-id', 'other']);
    const mistyped = await run(['list', '--project-id', 'othr']);
    const called = await run(['call', 'get_memories', '--project-id', 'othr']);
    const again = await run(['search', 'vegan', '--project-id', 'othr']);

    expect(hidden).toMatchObject({ code: 3, stdout: '' });
    expect(hidden.stderr).not.toContain('vegan');
    for (const run of [mistyped, called, again]) {
      expect(run).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining('othr') });
    }
  });

  it('is found in a project that is named as it was made, by a call or a command', async () => {
    const { run } = prepared('embedded');
    const made = await run(['call', 'create_project', '--name', 'webshop']);
    const { project_id } = JSON.parse(made.stdout);
    const added = await run(['add', 'Sells tea', '--project-id', 'webshop']);
    await run(['add', 'Grows roses', '--project-id', 'garden']);

    const byId = await run(['list', '--project-id', project_id]);
    const renamed = await run([
      'call',
      'update_project',
      '--project-id',
      'garden',
      '--name',
      'webshop',
    ]);
    const mistyped = await run(['list', '--project-id', 'webshp']);

    expect([added.code, byId.code, renamed.code, mistyped.code]).toEqual([0, 0, 2, 3]);
    expect(byId.stdout).toContain('Sells tea');
    expect(renamed.stderr).toContain('is taken by another project of the organization');
    expect(mistyped.stderr).toContain('Projects: "Default", "webshop", "garden".');
  });

  it('is hidden by a locked scope', async () => {
    const { run, add } = prepared('embedded');
    const id = await add('Ada is vegan');
    const full = JSON.parse((await run(['show', id, '--json'])).stdout).id;
    const env = { MNEME_USER_ID: 'eve', MNEME_LOCK_SCOPE: 'true' };

    for (const args of [
      ['show', full],
      ['history', id],
      ['forget', full, '--yes'],
    ]) {
      expect(await run(args, { env })).toMatchObject({ code: 3, stdout: '' });
    }
    expect((await run(['list'])).stdout).toContain('vegan');
  });

  it.each([
    ['forget', ['--yes']],
    ['edit', []],
  ])('%s is refused where only reading is allowed', async (command, flags) => {
    const { run, add, editor } = prepared('embedded');
    const id = await add('Ada is vegan');

    const refused = await run([command, id, ...flags, '--read-only'], editor('echo x > "$1"'));

    expect(refused).toMatchObject({ code: 4, stdout: '' });
    expect(refused.stderr).toContain('only read');
  });

  it('is told where the key is wrong', async () => {
    const { run } = prepared('remote');

    const refused = await run(['list'], { env: { MNEME_API_KEY: 'mk_wrong' } });

    expect(refused).toMatchObject({ code: 4, stdout: '' });
  });

  it('no folder of an editor is left behind when nothing was changed', async () => {
    const { home, run, add, editor } = prepared('embedded');
    const id = await add('Ada is vegan');

    await run(['edit', id], editor('true'));

    expect(readdirSync(home).filter((name) => name.startsWith('mneme-edit-'))).toEqual([]);
  });
});
