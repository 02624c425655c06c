import { connect, type Socket } from 'node:net';

/** One request, as bytes are made of it. */
export type Request = {
  method: string;
  path: string;
  key?: string;
  headers?: Readonly<Record<string, string>>;
  body?: unknown;
};

export type Load = {
  url: string;
  /** Connections that each send one request after the other. */
  connections: number;
  seconds: number;
  /** The request with this number, counted over all connections. */
  request: (index: number) => Request;
};

export type Measured = {
  /** Milliseconds of each request. */
  ms: number[];
  /** Answers other than 2xx. */
  errors: number;
  seconds: number;
};

/**
 * Sends requests as fast as they are answered, over bare sockets: a client library would take more
 * of its core than the servers that are compared take of theirs.
 */
export async function load({ url, connections, seconds, request }: Load): Promise<Measured> {
  const { hostname, port } = new URL(url);
  const ms: number[] = [];
  let errors = 0;
  let index = 0;
  const started = performance.now();
  const end = started + seconds * 1000;
  const drive = async () => {
    const connection = await open(Number(port), hostname);
    while (performance.now() < end) {
      const bytes = encode(request(index++), hostname);
      const sent = performance.now();
      if (!(await connection.send(bytes))) errors += 1;
      ms.push(performance.now() - sent);
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: connections }, drive));
  return { ms, errors, seconds: (performance.now() - started) / 1000 };
}

function encode({ method, path, key, headers = {}, body }: Request, host: string): Buffer {
  const json = body === undefined ? '' : JSON.stringify(body);
  const lines = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${host}`,
    ...(key === undefined ? [] : [`Authorization: Token ${key}`]),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(json === '' ? [] : ['Content-Type: application/json']),
    ...(method === 'GET' ? [] : [`Content-Length: ${Buffer.byteLength(json)}`]),
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${json}`);
}

/** `send` answers whether the answer was a 2xx, and throws when there was none. */
type Connection = { send(bytes: Buffer): Promise<boolean>; close(): void };

async function open(port: number, host: string): Promise<Connection> {
  const socket = await connected(port, host);
  let got: Buffer = Buffer.alloc(0);
  let answered = (_: boolean) => {};
  let failed = (_: Error) => {};
  socket.on('data', (chunk: Buffer) => {
    got = got.length === 0 ? chunk : Buffer.concat([got, chunk]);
    const length = lengthOf(got);
    if (length === null || got.length < length) return;
    const isFine = got.toString('latin1', 0, okay.length) === okay;
    got = got.subarray(length);
    answered(isFine);
  });
  socket.on('error', (error) => failed(error));
  socket.on('close', () => failed(new Error('the connection was closed')));
  return {
    send: (bytes) =>
      new Promise((resolve, reject) => {
        answered = resolve;
        failed = reject;
        socket.write(bytes);
      }),
    close: () => {
      failed = () => {};
      socket.destroy();
    },
  };
}

const okay = 'HTTP/1.1 2';

function connected(port: number, host: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, host, () => resolve(socket));
    socket.setNoDelay(true).once('error', reject);
  });
}

/** Bytes of the answer that begins here; null while its head is not there. */
function lengthOf(bytes: Buffer): number | null {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd === -1) return null;
  const head = bytes.toString('latin1', 0, headEnd);
  const [, length] = /content-length: (\d+)/i.exec(head) ?? [];
  if (length === undefined) throw new Error(`an answer without a length:\n${head}`);
  return headEnd + '\r\n\r\n'.length + Number(length);
}
