import { spawn } from 'node:child_process';
import { ApiError } from '../../contract/errors.ts';

/** A person may have to unlock a password store first. */
const commandTimeoutMs = 60_000;

/**
 * The key that a command prints. The command runs once, and again when its key was refused, because
 * some keys are short-lived. A list runs without a shell, text runs in the shell; stderr of the
 * command goes to stderr of this process.
 */
export function createApiKeyCommand(
  command: string | readonly string[],
): (refused: string | null) => Promise<string> {
  let key: Promise<string> | null = null;
  return async (refused) => {
    if (refused !== null && (await key?.catch(() => null)) === refused) key = null;
    key ??= runKeyCommand(command).catch((error: unknown) => {
      key = null;
      throw error;
    });
    return key;
  };
}

const startProblemByCode: Readonly<Record<string, string>> = {
  ENOENT: 'the program was not found',
  ABORT_ERR: `it took longer than ${commandTimeoutMs / 1000} seconds`,
};

async function runKeyCommand(command: string | readonly string[]): Promise<string> {
  const [program = '', ...args] = typeof command === 'string' ? [command] : command;
  const child = spawn(program, args, {
    shell: typeof command === 'string',
    stdio: ['ignore', 'pipe', 'inherit'],
    // Unlike `timeout`, it does not keep this process when there is no such program.
    signal: AbortSignal.timeout(commandTimeoutMs),
    windowsHide: true,
  });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  const problem = await new Promise<string | null>((resolve) => {
    child.once('error', (error: NodeJS.ErrnoException) => {
      resolve(startProblemByCode[error.code ?? ''] ?? 'it cannot be started');
    });
    child.once('close', (code, signal) => {
      resolve(
        code === 0 ? null : signal ? `it was ended by ${signal}` : `its exit code is ${code}`,
      );
    });
  });
  const key = printed.trim();
  const fault = problem ?? (key === '' ? 'it printed nothing' : null);
  if (fault === null) return key;
  throw new ApiError('unavailable', `api_key_command failed: ${fault}`, {
    next: 'Ask the user to run the command by hand and fix it.',
  });
}
