import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { inherited, type Program } from './client.ts';

/** A server process that speaks over its pipes. */
export type Piped = {
  pid: number;
  /** Sends a request and answers the line that answers it. */
  ask(message: { method: string; params: object }): Promise<string>;
  end(): Promise<void>;
};

export function piped({ args, env }: Program): Piped {
  const child = spawn(process.execPath, args, {
    env: { ...inherited(), ...env },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
  });
  const waiting = new Map<string, (line: string) => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const id = String((JSON.parse(line) as { id?: number }).id); // a message of JSON-RPC
    waiting.get(id)?.(line);
    waiting.delete(id);
  });
  let last = 0;
  return {
    pid: child.pid ?? -1,
    ask: (message) => {
      last += 1;
      const id = last;
      const answer = new Promise<string>((resolve) => waiting.set(String(id), resolve));
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...message })}\n`);
      return answer;
    },
    end: () => {
      child.stdin.end();
      return ended;
    },
  };
}
