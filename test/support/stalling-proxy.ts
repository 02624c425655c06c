import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A wire between a program and a server, which can stop passing bytes without an end. */
export type StallingProxy = {
  port: number;
  /** New connections go to that port of this machine. */
  aim(port: number): void;
  /** From now on nothing passes in either direction, and new connections are accepted in silence. */
  stall(): void;
  /** Passes on what waited, and everything after it. */
  resume(): void;
  stop(): Promise<void>;
};

/** In front of that port of this machine. */
export async function startStallingProxy(first: number): Promise<StallingProxy> {
  let port = first;
  let isStalled = false;
  const sockets = new Set<Socket>();
  const waiting = new Set<() => void>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {}); // its end is what is tested
    socket.on('close', () => sockets.delete(socket));
  };
  const join = (client: Socket) => {
    const upstream = connect(port, '127.0.0.1');
    keep(upstream);
    client.pipe(upstream).pipe(client);
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
    upstream.on('error', () => client.destroy());
  };
  const server = createServer((client) => {
    keep(client);
    if (isStalled) waiting.add(() => join(client));
    else join(client);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    port: (server.address() as AddressInfo).port, // it listens on TCP
    aim: (next) => {
      port = next;
    },
    stall: () => {
      isStalled = true;
      for (const socket of sockets) socket.pause();
    },
    resume: () => {
      isStalled = false;
      for (const socket of sockets) socket.resume();
      for (const start of waiting) start();
      waiting.clear();
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}
