import { createInterface } from 'node:readline';

export type PromptAnswer = 'yes' | 'no' | 'all' | 'quit';

const answerByLetter: Readonly<Record<string, PromptAnswer>> = {
  y: 'yes',
  n: 'no',
  a: 'all',
  q: 'quit',
};

/** Asks at the terminal until the answer is valid; the end of the input means quit. */
export function createTerminalPrompt() {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  const answers = lines[Symbol.asyncIterator]();
  const ask = async (question: string): Promise<PromptAnswer> => {
    lines.setPrompt(`${question} [y]es, [n]o, [a]ll, [q]uit: `);
    for (;;) {
      lines.prompt();
      const { value = '', done } = await answers.next();
      const answer = done ? 'quit' : answerByLetter[value.trim().toLowerCase().slice(0, 1)];
      if (answer !== undefined) return answer;
    }
  };
  return { ask, close: () => lines.close() };
}

export function isTerminal(): boolean {
  return process.stdin.isTTY === true && process.stdout.isTTY === true;
}
