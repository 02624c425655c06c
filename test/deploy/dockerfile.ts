import { readFileSync } from 'node:fs';

/** An instruction of a Dockerfile, its lines joined: `COPY` and what follows it. */
export type Instruction = { name: string; rest: string };

/** The final stage: the instructions after the last `FROM`, which is included. */
export function finalStage(file: string): Instruction[] {
  const lines = readFileSync(file, 'utf8')
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\\\n/g, ' ');
  const all = lines
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, name = '', rest = ''] = /^\s*(\w+)\s+(.*)$/.exec(line) ?? [];
      return { name, rest: rest.replaceAll(/\s+/g, ' ').trim() };
    });
  return all.slice(all.findLastIndex(({ name }) => name === 'FROM'));
}

/** What the only instruction of this name says. */
export function only(stage: readonly Instruction[], name: string): string {
  const found = stage.filter((instruction) => instruction.name === name);
  if (found.length !== 1) throw new Error(`${found.length} instructions ${name}`);
  return found[0]?.rest ?? '';
}

/** `A=1 B=2` as an object. */
export function environmentOf(stage: readonly Instruction[]): Record<string, string> {
  const pairs = only(stage, 'ENV').split(' ');
  return Object.fromEntries(pairs.map((pair) => pair.split('=', 2)));
}

/** The files that are copied, by their paths in a checkout, and the folder of the image for them. */
export function copies(stage: readonly Instruction[]): { from: string[]; to: string }[] {
  return stage
    .filter(({ name, rest }) => name === 'COPY' && !rest.endsWith(' /data'))
    .map(({ rest }) => {
      const paths = rest.split(' ').filter((word) => !word.startsWith('--'));
      const from = paths.slice(0, -1).map((path) => path.replace(/^\/src\//, ''));
      return { from, to: paths.at(-1) ?? '' };
    });
}
