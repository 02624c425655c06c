import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { dropSecretSentences } from '../../src/cli/hook/drop-secret-sentences.ts';
import { durableTurns } from '../../src/cli/hook/durable-sentences.ts';
import { remoteName } from '../../src/cli/hook/remote-name.ts';
import { readTurns } from '../../src/cli/hook/transcript.ts';
import { advanceTranscript } from '../../src/cli/hook/transcript-progress.ts';

describe('a sentence of the user', () => {
  const told = (content: string) =>
    durableTurns([{ role: 'user', content, at: null }]).map((turn) => turn.content);

  it.each([
    'Always run the tests in Docker.',
    'We never push to main.',
    'I prefer tabs.',
    "I'm vegan.",
    'Remember that the key is under the pot',
    'From now on answer in German.',
    'Our staging server runs Debian.',
    'My sister Zoe is a pilot.',
    'We decided to drop Redis because of its licence.',
    'The deadline is Friday.',
    'Call me Ada.',
    'I work at Acme.',
  ])('is told for later: %s', (sentence) => {
    expect(told(sentence)).toEqual([sentence]);
  });

  it.each([
    'Fix the login bug.',
    'Now run the tests again.',
    'Do you always answer like this?',
    'The build fails with code 2.',
    'ok',
    '```\nalways_on = true\n```',
    `always ${'x'.repeat(500)}`,
    'Schreib das bitte neu.',
  ])('is about the work at hand: %s', (sentence) => {
    expect(told(sentence)).toEqual([]);
  });

  it('stands among others', () => {
    expect(told('Fix this. I prefer tabs. ```\nI prefer x\n``` Thanks!\nNever use var')).toEqual([
      'I prefer tabs.\nNever use var',
    ]);
  });

  it('is not what the agent says', () => {
    expect(durableTurns([{ role: 'assistant', content: 'I always do.', at: null }])).toEqual([]);
  });
});

describe('a secret', () => {
  const kept = (content: string) =>
    dropSecretSentences([{ role: 'user', content, at: null }]).map((turn) => turn.content);

  it.each([
    'Remember that my password is hunter2.',
    'The root password for staging is always the same: changeme',
    'DB_PASSWORD=hunter2',
    'const dbPassword = "hunter2"',
    'My PIN is 4711.',
    'Mein Passwort ist geheim',
    'el contraseña es abc',
    'Note that the API key: abc',
    'Always use sk-proj-abcdefghijklmnop for this.',
    'Use ghp_abcdefghijklmnopqrstuvwxyz0123456789',
    'AKIAIOSFODNN7EXAMPLE is ours',
    'I use eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl',
    'I use id-eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl',
    'Send Authorization: Bearer abcdefghijklmnop12',
    'Our database is postgres://ada:hunter2@db.example.com/shop',
    'Never lose 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    'Always send q8Zr2LmX0vTn5PwKc7YbJd3HsGf9',
    '-----BEGIN RSA PRIVATE KEY-----\nMIIEow always\n-----END RSA PRIVATE KEY-----',
    '-----BEGIN PRIVATE KEY-----\nMIIEow always',
    'The password is:\nhunter2',
  ])('goes, with its sentence: %s', (text) => {
    expect(kept(text)).toEqual([]);
  });

  it.each([
    'I prefer tabs.',
    'We decided to rotate passwords every year.',
    'Always read src/cli/hook/drop-secret-sentences.ts first.',
    'See https://example.com/a/b?c=d and commit 287a94b.',
    'Our tenant has the id 2f1b8c1e-5f0a-4f7e-9d55-7f4f0a6b1c01.',
    'The function is called shouldRetryWhenTheServerIsBusy.',
    'My favourite spinner is the bouncing one.',
  ])('is none: %s', (text) => {
    expect(kept(text)).toEqual([text]);
  });

  it('leaves the sentences around it', () => {
    expect(kept('I prefer tabs. My password is hunter2. I love tea.\nCall me Ada.')).toEqual([
      'I prefer tabs. I love tea.\nCall me Ada.',
    ]);
  });

  it('is looked for in hostile text too', () => {
    const texts = [
      'password '.repeat(450),
      'a1'.repeat(2000),
      'eyJ'.repeat(1300),
      '://a:'.repeat(800),
    ];

    expect(
      dropSecretSentences(texts.map((content) => ({ role: 'user', content, at: null }))),
    ).toHaveLength(3);
  });
});

describe('a transcript', () => {
  const written = (lines: readonly string[]) => {
    const path = join(folder(), 'session.jsonl');
    writeFileSync(path, lines.join('\n') + (lines.length > 0 ? '\n' : ''));
    return path;
  };
  const entry = (content: unknown, more: object = {}) =>
    JSON.stringify({ type: 'user', message: { content }, ...more });

  it('holds what user and agent said', async () => {
    const said = { type: 'assistant', message: { content: [{ type: 'text', text: 'b' }] } };

    const timed = entry('a', { timestamp: '2026-11-17T10:00:00.000Z' });
    const { turns } = await readTurns(written([timed, JSON.stringify(said)]), 0);

    expect(turns).toEqual([
      { role: 'user', content: 'a', at: 1_794_909_600 },
      { role: 'assistant', content: 'b', at: null },
    ]);
  });

  it.each([
    ['a turn of the client', entry('a', { isMeta: true })],
    ['a turn of a helper', entry('a', { isSidechain: true })],
    ['a summary', entry('a', { isCompactSummary: true })],
    ['a command', entry('<command-name>/clear</command-name>')],
    ['what a command printed', entry('<local-command-stdout>a</local-command-stdout>')],
    ['a reminder', entry('<system-reminder>a\nb</system-reminder>')],
    ['a reminder that was cut off', entry('<system-reminder>I always')],
    ['what a hook said', entry('<user-prompt-submit-hook>I always</user-prompt-submit-hook>')],
    ['what an editor shows', entry('<ide_opened_file>I always</ide_opened_file>')],
    ['what a task says', entry('<task-notification id="1">I always</task-notification>')],
    ['a caveat', entry('Caveat: The messages below were generated by the user')],
    ['a session that goes on', entry('This session is being continued from a previous one.')],
    ['an interruption', entry('[Request interrupted by user]')],
    ['a result', entry([{ type: 'tool_result', content: 'a' }])],
    ['a thought', entry([{ type: 'thinking', thinking: 'a' }])],
    ['another kind', JSON.stringify({ type: 'system', message: { content: 'a' } })],
  ])('leaves out %s', async (_, line) => {
    expect((await readTurns(written([line]), 0)).turns).toEqual([]);
  });

  it.runIf(process.platform !== 'win32')('is not read from a pipe', async () => {
    const pipe = join(mkdtempSync(join(tmpdir(), 'mneme-pipe-')), 'transcript');
    onTestFinished(() => rmSync(dirname(pipe), { recursive: true }));
    execFileSync('mkfifo', [pipe]);

    await expect(readTurns(pipe, 0)).rejects.toThrow('the transcript is not a regular file');
  });

  it('is read in part: the newest turns, the beginning of each', async () => {
    const lines = Array.from({ length: 300 }, (_, index) => entry(`${index} ${'x'.repeat(9000)}`));

    const { turns } = await readTurns(written(lines), 0);

    expect(turns).toHaveLength(200);
    expect(turns.at(-1)?.content).toMatch(/^299 x/);
    expect(turns.at(-1)?.content).toHaveLength(4000);
  });

  it('is read from its end when it is huge', async () => {
    const filler = entry([{ type: 'tool_result', content: 'x'.repeat(500_000) }]);
    const lines = [entry('first'), ...Array.from({ length: 40 }, () => filler), entry('last')];

    const { turns } = await readTurns(written(lines), 0);

    expect(turns).toEqual([{ role: 'user', content: 'last', at: null }]);
  });
});

describe('the address of a repository', () => {
  it.each([
    ['https://github.com/acme/app.git', 'github.com/acme/app'],
    ['https://user:secret@GitHub.com/acme/app', 'github.com/acme/app'],
    ['git@github.com:acme/app.git', 'github.com/acme/app'],
    ['ssh://git@git.example.org:2222/acme/app/', 'git.example.org/acme/app'],
    ['git@ssh.dev.azure.com:v3/org/project/repo', 'ssh.dev.azure.com/v3/org/project/repo'],
  ])('%s is %s everywhere', (url, name) => {
    expect(remoteName(url)).toBe(name);
  });

  it.each(['/srv/git/app.git', '../app', 'C:\\git\\app', ''])(
    'of this machine has none: %s',
    (url) => {
      expect(remoteName(url)).toBeNull();
    },
  );
});

describe('work on a conversation', () => {
  it('goes on where the last ended, one at a time', async () => {
    const place = { folder: folder(), transcript: 't' };
    const seen: number[] = [];
    const step = (from: number) => {
      seen.push(from);
      return Promise.resolve(from + 10);
    };

    await Promise.all([advanceTranscript(place, step), advanceTranscript(place, step)]);
    await advanceTranscript({ ...place, transcript: 'other' }, step);

    expect(seen).toEqual([0, 10, 0]);
  });

  it('is done again after a failure', async () => {
    const place = { folder: folder(), transcript: 't' };

    const failed = advanceTranscript(place, () => Promise.reject(new Error('full')));
    await expect(failed).rejects.toThrow('full');

    await advanceTranscript(place, async (from) => {
      expect(from).toBe(0);
      return 5;
    });
  });

  it('is not held up by a process that died', async () => {
    const place = { folder: folder(), transcript: 't' };
    let lockPath = '';
    await advanceTranscript(place, async () => {
      const [name] = (await import('node:fs')).readdirSync(place.folder);
      lockPath = join(place.folder, name ?? '');
      return 1;
    });
    writeFileSync(lockPath, '');
    utimesSync(lockPath, new Date(0), new Date(0));

    await advanceTranscript(place, async (from) => from + 1);

    expect(lockPath).toMatch(/\.lock$/);
  });
});

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'mneme-hook-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
