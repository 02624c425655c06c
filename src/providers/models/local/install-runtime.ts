import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ApiError } from '../../../contract/errors.ts';
import { runtimePackage } from './transformers-runtime.ts';

/** The version that `mneme models use` installs, which the tests run. */
export const runtimeVersion = '4.3.1';

/** The size of the package and its dependencies on disk. */
export const runtimeBytes = 500_000_000;

/** Whether the package that runs models is completely installed, next to the program or there. */
export function isRuntimeInstalled(models_dir: string): boolean {
  try {
    createRequire(import.meta.url).resolve(runtimePackage);
    return true;
  } catch {
    return isListedByNpm(models_dir);
  }
}

/** npm writes this list last, so an interrupted installation is not in it. */
function isListedByNpm(models_dir: string): boolean {
  try {
    const list = readFileSync(join(models_dir, 'node_modules/.package-lock.json'), 'utf8');
    return list.includes(`"node_modules/${runtimePackage}"`);
  } catch {
    return false;
  }
}

type InstallOptions = { models_dir: string; env: NodeJS.ProcessEnv; onWait: () => void };

const waitStepMs = 250;

/** Installs the package with npm, which checks what it downloads. */
export async function installRuntime({ models_dir, env, onWait }: InstallOptions): Promise<void> {
  const packageSpec = `${runtimePackage}@${runtimeVersion}`;
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const child = spawn('npm', ['install', ...flags, '--prefix', '.', packageSpec], {
    cwd: models_dir,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
    shell: process.platform === 'win32',
    windowsHide: true,
  });
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const waiting = setInterval(onWait, waitStepMs);
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject).once('close', resolve);
    });
    if (code !== 0) throw installError(packageSpec, npmReason(output));
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw installError(packageSpec, 'npm cannot be started: install Node.js with npm', error);
  } finally {
    clearInterval(waiting);
  }
}

function installError(packageSpec: string, reason: string, cause?: unknown): ApiError {
  return new ApiError('unavailable', `${packageSpec} cannot be installed: ${reason}`, { cause });
}

/** The line of npm's output that says what went wrong, after its code. */
function npmReason(said: string): string {
  const lines = said
    .split('\n')
    .filter((line) => /^npm (error|ERR!) /.test(line))
    .map((line) => line.replace(/^npm (error|ERR!) /, '').trim());
  const code = lines.find((line) => line.startsWith('code '))?.slice('code '.length);
  const text = lines.find((line) => !/^(code|syscall|errno|path|dest)\b/.test(line));
  return [code, text ?? said.trim().split('\n').at(-1)].filter(Boolean).join(': ').slice(0, 300);
}
