// What the machine has left for the tests, and what they leave on it.
import { existsSync, readdirSync, statfsSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';

const gigabyte = 2 ** 30;

/**
 * Bytes that a run needs: on the disk it takes 1.5 GB, of memory 3 GB (measured on two cores).
 *
 * @typedef {{ disk: number, memory: number }} Needs
 * @type {Needs}
 */
export const needsOfRun = { disk: 3 * gigabyte, memory: 2 * gigabyte };

/** Folders in which tests make temporary files. */
const temporaryFolders = ['/dev/shm', tmpdir()].filter((folder) => existsSync(folder));

/**
 * The reason why a run can't finish on this machine, or null.
 *
 * @param {string} checkout
 * @param {Needs} needed
 */
export function findShortage(checkout, needed) {
  const memory = process.availableMemory();
  if (memory < needed.memory)
    return `too little memory: ${inGigabytes(memory)} of the ${inGigabytes(needed.memory)} needed`;
  const full = [checkout, tmpdir()].find((folder) => freeDisk(folder) < needed.disk);
  if (full === undefined) return null;
  const free = inGigabytes(freeDisk(full));
  return `too little disk in ${full}: ${free} of the ${inGigabytes(needed.disk)} needed`;
}

/** One line. */
export function describeMachine(/** @type {string} */ checkout) {
  const disks = [...new Set([checkout, ...temporaryFolders])];
  return [
    `load ${loadavg()
      .map((load) => load.toFixed(1))
      .join(' ')} on ${availableParallelism()} cores`,
    `memory free ${inGigabytes(process.availableMemory())} of ${inGigabytes(totalmem())}`,
    `disk free ${disks.map((folder) => `${inGigabytes(freeDisk(folder))} in ${folder}`).join(', ')}`,
  ].join('; ');
}

/** The paths in the temporary folders. */
export function listTemporaryFiles() {
  return temporaryFolders.flatMap((folder) =>
    readdirSync(folder).map((name) => join(folder, name)),
  );
}

function freeDisk(/** @type {string} */ folder) {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

function inGigabytes(/** @type {number} */ bytes) {
  return `${(bytes / gigabyte).toFixed(1)} GB`;
}
