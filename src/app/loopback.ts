/** True for the names and addresses of this machine's loopback interface. */
export function isLoopbackHost(host: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d+){3}|::1|\[::1\])$/.test(host);
}

/** True if the address leads to this machine. Throws a TypeError for what is not a URL. */
export function isLoopback(url: string): boolean {
  return isLoopbackHost(new URL(url).hostname);
}
