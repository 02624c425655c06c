import { spawn } from 'node:child_process';
import type { HostEnvironment } from '../init/environment.ts';

type BrowserHost = Pick<HostEnvironment, 'platform' | 'env'>;

/** The program that opens an address. `input` hides the address from users who list arguments. */
type Opener = { command: string; args: readonly string[]; input?: string };

/** Openers end at once, or run as long as the browser that they started. */
const failTimeoutMs = 3000;

/** Whether a browser here would be seen by who runs this: not over ssh, nor without a display. */
export function hasBrowser({ platform, env }: BrowserHost): boolean {
  if (env.SSH_CONNECTION || env.SSH_TTY) return false;
  return platform !== 'linux' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
}

/** Opens an address in the default browser; false when that failed. */
export async function openBrowser(url: string, { platform }: BrowserHost): Promise<boolean> {
  const { command, args, input = '' } = openerOf(url, platform);
  const child = spawn(command, args, {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    windowsHide: true,
  });
  child.stdin.on('error', () => {}); // it may not read
  child.stdin.end(input);
  child.unref();
  return new Promise((resolve) => {
    const runs = setTimeout(() => resolve(true), failTimeoutMs);
    const end = (isOpen: boolean) => {
      clearTimeout(runs);
      resolve(isOpen);
    };
    child.once('error', () => end(false));
    child.once('exit', (code) => end(code === 0));
  });
}

function openerOf(url: string, platform: HostEnvironment['platform']): Opener {
  if (platform === 'win32') {
    return { command: 'rundll32', args: ['url.dll,FileProtocolHandler', url] };
  }
  if (platform === 'linux') return { command: 'xdg-open', args: [url] };
  return { command: 'osascript', args: ['-'], input: `open location ${JSON.stringify(url)}` };
}
