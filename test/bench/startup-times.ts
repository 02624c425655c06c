import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { inherited, type Program } from './client.ts';

/** A request after the handshake. */
export type Request = { method: string; params: Record<string, unknown> };

export type FirstAnswers = {
  /** Milliseconds from the spawn to the answer of `initialize`, then to each further one. */
  ms: number[];
  /** Milliseconds of processor time until the answer of `initialize`; null where nobody tells. */
  cpuMs: number | null;
  /** Most memory the process used; null where nobody tells. */
  peakMb: number | null;
};

const initialize: Request = {
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'mneme-bench', version: '1.0.0' },
  },
};

/**
 * Starts a server and times its first answers. Bare lines on the pipe and no SDK on this side: what
 * is timed is the server alone.
 */
export async function firstAnswers(
  program: Program,
  requests: readonly Request[],
): Promise<FirstAnswers> {
  const started = performance.now();
  const child = start(program);
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ms: number[] = [];
  let cpuMs: number | null = null;
  try {
    for (const [id, request] of [initialize, ...requests].entries()) {
      send(child, { id, ...request });
      await answerTo(id, answers);
      ms.push(performance.now() - started);
      if (id > 0) continue;
      cpuMs = cpuOf(child);
      send(child, { method: 'notifications/initialized' });
    }
    return { ms, cpuMs, peakMb: peakOf(child) };
  } finally {
    await end(child);
  }
}

/** From the spawn to the exit of a program that does nothing. */
export async function runToEnd(program: Program): Promise<FirstAnswers> {
  const started = performance.now();
  const child = start(program);
  await exited(child);
  return { ms: [performance.now() - started], cpuMs: null, peakMb: null };
}

function start({ args, env }: Program): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, args, { env: { ...inherited(), ...env } });
  child.stderr.resume();
  return child;
}

function send(child: ChildProcessWithoutNullStreams, message: Record<string, unknown>): void {
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

/** Reads on to that answer; notifications on the way do not count. */
async function answerTo(id: number, lines: AsyncIterator<string>): Promise<void> {
  for (;;) {
    const { value, done } = await lines.next();
    if (done) throw new Error('the server ended before it answered');
    const message = JSON.parse(value);
    if (message.id !== id) continue;
    if (message.error || message.result.isError) throw new Error(`refused: ${value.slice(0, 300)}`);
    return;
  }
}

async function end(child: ChildProcessWithoutNullStreams): Promise<void> {
  child.stdin.end();
  AbortSignal.timeout(5000).addEventListener('abort', () => child.kill('SIGKILL'));
  await exited(child);
}

async function exited(child: ChildProcessWithoutNullStreams): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  await new Promise((resolve) => child.once('exit', resolve));
}

/** Of the main thread: on a busy machine it says more than the clock. */
function cpuOf({ pid }: ChildProcessWithoutNullStreams): number | null {
  if (process.platform !== 'linux') return null;
  const [nanoseconds] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ');
  return Number(nanoseconds) / 1e6;
}

function peakOf({ pid }: ChildProcessWithoutNullStreams): number | null {
  if (process.platform !== 'linux') return null;
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kilobytes = /^VmHWM:\s+(\d+) kB/m.exec(status)?.[1];
  return kilobytes === undefined ? null : Number(kilobytes) / 1024;
}
