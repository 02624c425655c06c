import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { notes, preparedSession, user } from './hook-support.ts';
import { serve } from './serve-support.ts';
import { runIn, temporaryFolder } from './support.ts';

/** An instance on another machine, and a session in front of it. */
async function preparedRemote(lines: readonly string[] = []) {
  const key = `mk_${'k'.repeat(40)}`;
  const { url } = await serve(temporaryFolder(), { MNEME_BOOTSTRAP_KEY: key });
  const remote = { MNEME_BASE_URL: url, MNEME_API_KEY: key };
  return { remote, ...preparedSession(lines, remote) };
}

describe('in front of a remote instance', () => {
  it('recall finds what remember stored there', async () => {
    const { home, env, remember } = await preparedRemote();

    const stored = await remember('The bike is in the cellar', '--metadata.topic', 'home');
    const twice = await remember('The bike is in the cellar');
    const found = await runIn(home)(['search', 'where is my bike'], { env });

    expect(stored).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^ {2}stored {2}[\da-f]{8} {2}The bike is in the cellar\n$/),
      stderr: '',
    });
    expect(twice.stdout).toMatch(/not stored {2}[\da-f]{8} {2}The bike is in .* \(duplicate of /);
    expect(found).toMatchObject({ code: 0, stderr: '' });
    expect(found.stdout).toMatch(
      /^[\da-f]{8} {2}\d\.\d\d {2}The bike is in the cellar \([\d-]{10}\)\n$/,
    );
  });

  it('remember extracts facts from messages', async () => {
    const { home, env } = await preparedRemote();
    const input = '[{"role":"user","content":"I am vegan. Thanks!"}]';

    const { stdout } = await runIn(home)(['add', '--messages=-'], { env, input });

    expect(stdout).toMatch(/^ {2}stored {2}[\da-f]{8} {2}User is vegan\.\n$/);
  });

  it('hooks recall, and store in the background', async () => {
    const { home, hook, memories, remember } = await preparedRemote([user('I love tea.')]);
    await remember('Ada is vegan');
    await remember('Eve is not here', '--user-id', 'eve');

    const ended = await hook(['session-end', '--wait']);
    const begun = await hook(['session-start']);
    const asked = await hook(['prompt'], { prompt: 'Who is vegan here?' });

    expect(ended).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await memories()).toEqual(['Ada is vegan', 'User loves tea.']);
    expect(begun.stdout).toMatch(
      /# About the project shop\n.*\n.*\n- User loves tea\. \(.*\n# About the user\n.*\n.*\n- Ada is vegan \(/,
    );
    expect(begun.stdout).not.toContain('Eve');
    expect(asked.stdout).toMatch(/^Stored memories .*\n## About this\n- Ada is vegan \(/);
    expect(notes(home)).toHaveLength(1);
  });

  it('a refused key stops no session, and what was told is stored later', async () => {
    const { home, hook, memories } = await preparedRemote([user('I love tea.')]);
    const env = { MNEME_API_KEY: 'mk_wrong' };

    const begun = await hook(['session-start'], undefined, { env });
    const ended = await hook(['session-end', '--wait'], undefined, { env });
    const later = await hook(['session-end', '--wait']);

    expect(begun).toMatchObject({ code: 0, stdout: '' });
    expect(begun.stderr).toMatch(/^mneme: .*key/);
    expect(ended).toMatchObject({ code: 0, stdout: '' });
    expect(later).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await memories()).toEqual(['User loves tea.']);
    expect(readFileSync(join(home, 'data/hooks', notes(home)[0] ?? ''), 'utf8')).toContain('next');
  });
});
