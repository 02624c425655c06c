import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { isPeerOfUser } from '../../src/rest/auth/peer-user.ts';

/** Both ends of a new connection to an address of this machine. */
async function connectionTo(listening: string, address: string) {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, listening, resolve));
  const { port } = server.address() as AddressInfo; // it does not listen on a pipe
  const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve));
  const client = connect(port, address);
  const socket = await accepted;
  const close = () => {
    client.destroy();
    socket.destroy();
    server.close();
  };
  const { remoteAddress = '', remotePort = 0, localAddress = '', localPort = 0 } = socket;
  const peer = { address: remoteAddress, port: remotePort };
  return { ends: { peer, own: { address: localAddress, port: localPort } }, close };
}

describe.skipIf(process.platform !== 'linux')('the user at the other end of a connection', () => {
  it.each([
    ['127.0.0.1', '127.0.0.1'],
    ['::1', '::1'],
    ['::', '127.0.0.1'],
    ['::', '::ffff:127.0.0.1'],
  ])('is known where %s listens and %s is called', async (listening, address) => {
    const { ends, close } = await connectionTo(listening, address);
    const uid = process.getuid?.() ?? 0;

    expect(await isPeerOfUser(uid, ends)).toBe(true);
    expect(await isPeerOfUser(uid + 1, ends)).toBe(false);
    close();
  });

  it('is nobody where no such connection is', async () => {
    const { ends, close } = await connectionTo('127.0.0.1', '127.0.0.1');
    const peer = { ...ends.peer, port: 1 };

    expect(await isPeerOfUser(process.getuid?.() ?? 0, { ...ends, peer })).toBe(false);
    close();
  });
});
