import { describe, expect, it } from 'vitest';
import { defaultAllowedHosts } from '../../src/mcp/http.ts';
import { httpOn } from './http-support.ts';
import { scripted } from './support.ts';

type Options = { allowed_hosts?: string[] | null; cors_origins?: string[] };

/** The status of a refusal; null when the request goes on. */
function checked(options: Options, headers: Record<string, string>): number | null {
  const http = httpOn(scripted({}).invoke, options);
  const request = new Request('http://127.0.0.1:8787/mcp', { method: 'POST', headers });
  return http.check(request)?.status ?? null;
}

const local = { allowed_hosts: defaultAllowedHosts('127.0.0.1') };

describe('the Host of a request', () => {
  it.each(['127.0.0.1:8787', 'localhost:8787', 'LOCALHOST', '[::1]:8787'])(
    'may be %s on a server that listens on this machine only',
    (Host) => {
      expect(checked(local, { Host })).toBeNull();
    },
  );

  it.each(['evil.example', 'evil.example:8787', '127.0.0.1.evil.example', '10.0.0.1', 'a b', ''])(
    'may not be %j there: a page may have pointed its own name at this machine',
    (Host) => {
      expect(checked(local, { Host })).toBe(403);
    },
  );

  it('may be any where other machines come in, and those named where some are', () => {
    expect(defaultAllowedHosts('0.0.0.0')).toBeNull();
    expect(checked({ allowed_hosts: null }, { Host: 'anything.example' })).toBeNull();
    const named = { allowed_hosts: ['Memory.Example'] };
    expect(checked(named, { Host: 'memory.example:443' })).toBeNull();
    expect(checked(named, { Host: 'other.example' })).toBe(403);
  });

  it('says what to configure, as JSON-RPC', async () => {
    const http = httpOn(scripted({}).invoke, local);
    const headers = { Host: 'evil.example' };

    const refused = http.check(new Request('http://127.0.0.1/mcp', { headers }));

    expect(await refused?.json()).toMatchObject({
      jsonrpc: '2.0',
      id: null,
      error: { message: expect.stringContaining('allowed_hosts') },
    });
  });
});

describe('the Origin of a request', () => {
  const Host = 'memory.example:8787';

  it('is missing where a program calls', () => {
    expect(checked({}, { Host })).toBeNull();
  });

  it.each([
    'http://memory.example:8787',
    'https://memory.example:8787',
    'http://localhost:6274',
    'http://127.0.0.1:3000',
    'https://app.example',
  ])('may be %s: this server, this machine, or configured', (Origin) => {
    expect(checked({ cors_origins: ['https://app.example'] }, { Host, Origin })).toBeNull();
  });

  it.each([
    'https://evil.example',
    'http://memory.example',
    'https://app.example.evil.example',
    'http://localhost.evil.example',
    'ftp://localhost',
    'chrome-extension://memory.example:8787',
    'app://127.0.0.1',
    'null',
    'nonsense',
    '',
  ])('may not be %j', (Origin) => {
    expect(checked({ cors_origins: ['https://app.example'] }, { Host, Origin })).toBe(403);
  });

  it('may be any where the configuration says so', () => {
    expect(checked({ cors_origins: ['*'] }, { Host, Origin: 'https://any.example' })).toBeNull();
  });
});
