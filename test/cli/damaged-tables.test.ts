import { cpSync, rmSync, symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runIn, temporaryFolder } from './support.ts';

const root = join(import.meta.dirname, '../..');

/** A copy of the program, whose tables may be damaged. */
function copyProgram(): string {
  const folder = temporaryFolder();
  cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true });
  cpSync(join(root, 'package.json'), join(folder, 'package.json'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  return folder;
}

describe('a package whose table of other languages', () => {
  it.each([
    ['is cut short', (file: string) => truncateSync(file, 100_000)],
    ['is missing', (file: string) => rmSync(file)],
  ])('%s searches in them by words, and says so once', async (_, damage) => {
    const folder = copyProgram();
    damage(join(folder, 'dist/embedding/languages.bin'));
    const run = runIn(temporaryFolder());
    const program = join(folder, 'dist/cli.js');

    await run(['add', 'I train taekwondo'], { program });
    const stored = await run(['add', 'Meine Schwester wohnt in Kassel'], { program });
    const byWord = await run(['search', 'Wo wohnt meine Schwester?'], { program });
    const english = await run(['search', 'any martial arts?'], { program });
    const checked = await run(['doctor'], { program });

    expect(stored.code).toBe(0);
    expect(stored.stderr.match(/embedding table cannot be read/g)).toHaveLength(1);
    expect(byWord.stdout).toContain('Meine Schwester wohnt in Kassel');
    expect(english).toMatchObject({ stdout: expect.stringContaining('taekwondo'), stderr: '' });
    expect(checked.stdout).toMatch(/other languages\s+cannot\s+be\s+read/);
  });
});
