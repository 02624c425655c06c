import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Stage } from '../../scripts/ci/stages.mjs';

/** Inside the project, so that its tests find vitest. */
let checkout: string;

beforeEach(() => {
  mkdirSync('.build', { recursive: true });
  checkout = mkdtempSync(resolve('.build/ci-'));
  const report = pathToFileURL(resolve('scripts/ci/test-report.mjs')).href;
  write('package.json', JSON.stringify({ scripts: { test: 'vitest run' } }));
  write(
    'vitest.config.mjs',
    `import { testReport } from '${report}';
     export default { test: { reporters: ['default', testReport] } };`,
  );
});
afterEach(() => {
  rmSync(checkout, { recursive: true, force: true });
});

const passing: Stage = { name: 'passing', command: ['node', '--eval', '0'] };
const tests: Stage = { name: 'unit', command: ['npm', 'test'], tests: true };

describe('a run of CI', () => {
  it('ends with the time and the tests of each stage, and its verdict', () => {
    write('sum.test.mjs', testOf('adds', 'expect(1 + 1).toBe(2)'));

    const { status, lines } = run([passing, tests]);

    expect(status).toBe(0);
    expect(lines).toContainEqual(expect.stringMatching(/^passing +passed in 0:0\d$/));
    expect(lines).toContainEqual(
      expect.stringMatching(/^unit +passed in 0:\d\d, 1 passed, 0 failed, 0 unstable$/),
    );
    expect(lines.at(-1)).toMatch(/^GREEN after \d+ minutes$/);
  });

  it('says what the machine has at the start and at the end', () => {
    const { lines } = run([passing]);

    const machine = /: load [\d. ]+ on \d+ cores; memory free .* of .*; disk free .* in /;
    expect(lines).toContainEqual(expect.stringMatching(/^at the start/));
    expect(lines.filter((line) => machine.test(line))).toHaveLength(3);
  });

  it('names the temporary files that were left', () => {
    const name = `mneme-left-${process.pid}`;
    const left = join(tmpdir(), name);
    try {
      const { lines } = run([
        { name: 'leaves', command: ['node', '--eval', `fs.writeFileSync('${left}', '')`] },
      ]);

      const line = lines.find((each) => each.startsWith('temporary files left: '));
      expect(line).toContain(left);
    } finally {
      rmSync(left, { force: true });
    }
  });

  it('names the stage, test, file, error, seed and command of a failure, and goes on', () => {
    write('sum.test.mjs', testOf('adds', 'expect(1 + 1).toBe(3)'));

    const { status, lines } = run([tests, passing]);

    expect(status).toBe(1);
    expect(lines.slice(-60).join('\n')).toMatch(
      new RegExp(
        [
          'seed of random inputs: 20260314',
          'FAILED: unit',
          '  sum.test.mjs > adds: AssertionError: expected 2 to be 3 .*\\(sum.test.mjs:\\d+\\)',
          'repeat: MNEME_TEST_SEED=20260314 npm test -- sum.test.mjs',
          'RED after \\d+ minutes$',
        ].join('\n'),
      ),
    );
    expect(lines).toContainEqual(expect.stringMatching(/^passing +passed/));
  });

  it.each([
    ['a hook of a group', 'group: no database'],
    ['a file that cannot be loaded', 'broken.test.mjs: no database'],
    ['an error outside of a test', 'outside of a test: no database'],
  ])('names %s', (kind, told) => {
    const source = {
      'a hook of a group': `describe('group', () => {
        beforeAll(() => { throw new Error('no database') });
        it('never runs', () => {});
      });`,
      'a file that cannot be loaded': `throw new Error('no database');`,
      'an error outside of a test': `it('passes', async () => {
        setImmediate(() => { throw new Error('no database') });
        await new Promise((end) => setImmediate(end));
      });`,
    }[kind];
    write('broken.test.mjs', `${imports}${source}`);

    const { status, lines } = run([tests]);

    expect(status).toBe(1);
    expect(lines.slice(-60).join('\n')).toContain(told);
    expect(lines.at(-2)).toContain('repeat: ');
  });

  it('names stages and counts where hundreds of tests of several stages fail', () => {
    const failing = Array.from({ length: 300 }, (_, index) =>
      testOf(`is number ${index}`, 'expect(1).toBe(2)').replace(imports, ''),
    );
    write('many.test.mjs', [imports, ...failing].join('\n'));
    const more = { ...tests, name: 'again' };

    const { lines } = run([tests, more]);

    const last = lines.slice(-60);
    expect(last).toContain('FAILED: unit');
    expect(last).toContain('FAILED: again');
    expect(last.filter((line) => / and \d+ more/.test(line))).toHaveLength(2);
    expect(last.join('\n')).toContain('  many.test.mjs > is number 0: ');
  });

  it('shows the last output of a stage without tests', () => {
    const command = ['node', '--eval', 'console.log("line 7 is too long"); process.exit(3)'];

    const { lines } = run([{ name: 'check', command }]);

    expect(lines.slice(-4)).toEqual([
      'FAILED: check: it ended with code 3',
      '  line 7 is too long',
      expect.stringMatching(/^repeat: node --eval /),
      expect.stringMatching(/^RED/),
    ]);
  });

  it('leaves lines that one stage does not need to another', () => {
    const program = 'for (let i = 1; i <= 40; i++) console.log("finding " + i); process.exit(1)';
    write('sum.test.mjs', testOf('adds', 'expect(1 + 1).toBe(3)'));

    const { lines } = run([{ name: 'check', command: ['node', '--eval', program] }, tests]);

    const last = lines.slice(-60);
    expect(last).toContain('  finding 11');
    expect(last).toContain('FAILED: unit');
  });

  it('runs nothing after a stage that all others need', () => {
    const command = ['node', '--eval', 'process.exit(1)'];

    const { status, lines } = run([{ name: 'install', command, required: true }, passing]);

    expect(status).toBe(1);
    expect(lines).toContain('STOPPED by install failed; not run: passing');
  });

  it('ends a stage that hangs, and names what it ran', () => {
    write('hangs.test.mjs', testOf('waits', 'await new Promise(() => {})', 600_000));

    const { status, lines } = run([{ ...tests, minutesMax: 0.1 }, passing]);

    expect(status).toBe(1);
    expect(lines).toContain(
      'FAILED: unit: it took too long, and was ended while hangs.test.mjs ran',
    );
    expect(lines).toContainEqual(expect.stringMatching(/^passing +passed/));
  });

  it('does not start with too little memory or disk, and says so', () => {
    const memory = run([passing], { memory: 2 ** 50, disk: 0 });
    const disk = run([passing], { memory: 0, disk: 2 ** 60 });

    expect([memory.status, disk.status]).toEqual([1, 1]);
    expect(memory.lines.at(-2)).toMatch(/^STOPPED by too little memory: .*; not run: passing$/);
    expect(disk.lines.at(-2)).toMatch(/^STOPPED by too little disk in .*; not run: passing$/);
  });
});

describe('a test that fails once', () => {
  const once = `if (!existsSync('tried')) { writeFileSync('tried', ''); expect(1).toBe(2) }`;

  it('is unstable, and fails nothing, in a stage with a second chance', () => {
    write('once.test.mjs', testOf('needs a second try', once));

    const { status, lines } = run([{ ...tests, secondChance: true }]);

    expect(status).toBe(0);
    expect(lines).toContainEqual(
      expect.stringMatching(/^unstable: once\.test\.mjs > needs a second try: AssertionError/),
    );
    expect(lines.at(-1)).toMatch(/^GREEN/);
  });

  it('fails in a stage without', () => {
    write('once.test.mjs', testOf('needs a second try', once));

    const { status, lines } = run([tests]);

    expect(status).toBe(1);
    expect(lines).toContain('FAILED: unit');
  });

  it('fails if it fails again, and those beside it have their own verdict', () => {
    write('once.test.mjs', testOf('needs a second try', once));
    write('never.test.mjs', testOf('fails', 'expect(1).toBe(2)'));

    const { status, lines } = run([{ ...tests, secondChance: true }]);

    expect(status).toBe(1);
    expect(lines).toContainEqual(expect.stringMatching(/^unstable: once\.test\.mjs/));
    expect(lines).toContainEqual(expect.stringMatching(/^ {2}never\.test\.mjs > fails: /));
    expect(lines).toContainEqual(expect.stringMatching(/ 1 failed, 1 unstable$/));
  });
});

const imports = `
  import { existsSync, writeFileSync } from 'node:fs';
  import { beforeAll, describe, expect, it } from 'vitest';
`;

function testOf(name: string, body: string, timeout = 10_000): string {
  return `${imports}it('${name}', async () => { ${body} }, ${timeout});`;
}

function write(file: string, text: string): void {
  writeFileSync(join(checkout, file), text);
}

function run(stages: Stage[], needs?: { memory: number; disk: number }) {
  const module = pathToFileURL(resolve('scripts/ci/run-stages.mjs')).href;
  const args = [stages, checkout, needs].map((arg) => JSON.stringify(arg)).join(', ');
  const program = `import { runStages } from '${module}';
    process.exitCode = await runStages(${args});`;
  const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: process.env.HOME, TMPDIR: tmpdir() },
  });
  return { status, lines: stdout.trim().split('\n') };
}
