import { readFile } from 'node:fs/promises';
import { endianness } from 'node:os';

/** One end of a TCP connection. */
export type TcpEnd = { address: string; port: number };

/** Linux lists the connections within a machine here, with the user of each end. */
const tables = ['/proc/net/tcp', '/proc/net/tcp6'];

/**
 * Whether a program of this user is at the other end of a connection within this machine; true
 * where the system does not tell, as only Linux does.
 */
export async function isPeerOfUser(
  uid: number,
  { peer, own }: { peer: TcpEnd; own: TcpEnd },
): Promise<boolean> {
  const texts = await Promise.all(tables.map((path) => readFile(path, 'latin1').catch(() => '')));
  const lines = texts.join('\n').split('\n');
  if (lines.every((line) => line === '')) return true;
  const names = [4, 16].map((bytes) => `: ${endOf(peer, bytes)} ${endOf(own, bytes)} `);
  const line = lines.find((each) => names.some((name) => each.includes(name)));
  return line !== undefined && userOf(line) === uid;
}

/** A line: number, own end, other end, state, queues, timer, retransmits, user. */
function userOf(line: string): number {
  return Number(line.trim().split(/\s+/)[7]);
}

/** `0100007F:1F90` for 127.0.0.1:8080: each 32 bits of the address as a number of this machine. */
function endOf({ address, port }: TcpEnd, bytes: number): string {
  const all = bytesOf(address).subarray(16 - bytes);
  if (endianness() === 'LE') all.swap32();
  return `${all.toString('hex')}:${port.toString(16).padStart(4, '0')}`.toUpperCase();
}

/** All 16 bytes; those of a version 4 address are the last four of `::ffff:127.0.0.1`. */
function bytesOf(address: string): Buffer {
  if (!address.includes('.')) return Buffer.alloc(16).fill(1, 15); // ::1 is the only local one
  const four = address.replace('::ffff:', '').split('.').map(Number);
  return Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, ...four]);
}
