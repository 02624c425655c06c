import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Runs a Docker command; returns its output, and throws if it fails. */
export async function docker(...args: string[]): Promise<string> {
  const { stdout } = await run('docker', args, { maxBuffer: 64 * 1024 * 1024 });
  return stdout.trim();
}

/** What `docker inspect` says of a container: `{{.State.ExitCode}}`. */
export function stateOf(container: string, format: string): Promise<string> {
  return docker('inspect', '--format', format, container);
}

/** The address of this machine that leads to a port of a container. */
export async function addressOf(container: string, port: number): Promise<string> {
  const [line = ''] = (await docker('port', container, String(port))).split('\n');
  return `http://${line}`;
}
