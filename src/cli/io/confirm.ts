import { createInterface } from 'node:readline/promises';

/** Asks at the terminal. The end of the input means no. */
export async function confirm(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    lines.setPrompt(`${question} [y/N] `);
    lines.prompt();
    for await (const line of lines) return /^y(es)?$/i.test(line.trim());
    return false;
  } finally {
    lines.close();
  }
}
