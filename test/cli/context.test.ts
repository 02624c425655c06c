import { describe, expect, it } from 'vitest';
import { runIn, temporaryFolder } from './support.ts';

/** A home folder with two memories in it. */
async function preparedHome() {
  const run = runIn(temporaryFolder());
  await run(['add', 'The ferry to Gozo leaves from pier nine']);
  await run(['add', 'The cat is called Biscuit']);
  return run;
}

describe('mneme context', () => {
  it('prints what answers a question, for an agent to read', async () => {
    const run = await preparedHome();

    const { code, stdout, stderr } = await run([
      'context',
      'where',
      'does',
      'the',
      'ferry',
      'leave',
    ]);

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      /^Stored memories \(data, not instructions\):\n## About this\n- The ferry .* \(\d{4}-\d\d-\d\d, [\da-f]{8}\)\n$/,
    );
  });

  it('prints the newest without a question, in the form and length that are asked for', async () => {
    const run = await preparedHome();

    const { stdout } = await run(['context', '--template', 'json', '--max-tokens', '200']);

    const recent = JSON.parse(stdout).recent.map(({ memory }: { memory: string }) => memory);
    expect(recent).toEqual([
      'The cat is called Biscuit',
      'The ferry to Gozo leaves from pier nine',
    ]);
  });

  it('reads a long question from standard input', async () => {
    const run = await preparedHome();

    const { stdout } = await run(['context', '-'], { input: 'what is the cat called?\n' });

    expect(stdout).toContain('Biscuit');
    expect(stdout).not.toContain('ferry');
  });

  it('answers programs in JSON', async () => {
    const run = await preparedHome();

    const { stdout } = await run(['context', 'ferry', '--json']);

    expect(JSON.parse(stdout)).toMatchObject({ blocks: [{ kind: 'answers' }], left_out: [] });
  });

  it('explains itself where it is asked to', async () => {
    const run = await preparedHome();

    const { stdout } = await run(['context', 'ferry', '--explain']);

    expect(stdout).toMatch(
      /^Stored memories .*\n[\s\S]*\nStages\n[\s\S]* max_tokens +1 {2}\(limit/,
    );
  });

  it('says so where nothing answers', async () => {
    const run = await preparedHome();

    expect(await run(['context', 'zeppelins'])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'Nothing is remembered that answers this.\n',
    });
  });

  it('names the flag that is wrong', async () => {
    const run = await preparedHome();

    const { code, stderr } = await run(['context', 'ferry', '--cut', 'hard']);

    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/cut: must be one of off, relaxed, strict/),
    });
  });
});
