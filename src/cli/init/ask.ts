import { createInterface } from 'node:readline';

export type Answer = 'yes' | 'no' | 'all' | 'quit';

const answers: Readonly<Record<string, Answer>> = { y: 'yes', n: 'no', a: 'all', q: 'quit' };

/** Asks at the terminal until there is an answer; the end of the input means quit. */
export function createAsker() {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  const given = lines[Symbol.asyncIterator]();
  const ask = async (question: string): Promise<Answer> => {
    lines.setPrompt(`${question} [y]es, [n]o, [a]ll, [q]uit: `);
    for (;;) {
      lines.prompt();
      const { value = '', done } = await given.next();
      const answer = done ? 'quit' : answers[value.trim().toLowerCase().slice(0, 1)];
      if (answer !== undefined) return answer;
    }
  };
  return { ask, close: () => lines.close() };
}

export function isTerminal(): boolean {
  return process.stdin.isTTY === true && process.stdout.isTTY === true;
}
