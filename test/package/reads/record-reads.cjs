// Loaded before the program: tells the parent process, right before each answer, which files of the
// package were read since the one before, and how many bytes of each.
const fs = require('node:fs');
const { relative } = require('node:path');

const { openSync, readSync, closeSync, readFileSync } = fs;
/** The paths of open files. */
const paths = new Map();
/** @type {Record<string, number>} */
let bytes = {};
let isWhole = false;

const count = (/** @type {unknown} */ path, /** @type {number} */ read) => {
  const name = relative('dist', String(path)).replaceAll('\\', '/');
  if (name.startsWith('..')) return;
  bytes[name] = (bytes[name] ?? 0) + read;
};

Object.assign(fs, {
  openSync: (/** @type {Parameters<typeof openSync>} */ ...given) => {
    const file = openSync(...given);
    paths.set(file, given[0]);
    return file;
  },
  closeSync: (/** @type {number} */ file) => {
    paths.delete(file);
    closeSync(file);
  },
  readSync: (/** @type {Parameters<typeof readSync>} */ ...given) => {
    const read = readSync(...given);
    if (!isWhole) count(paths.get(given[0]), read);
    return read;
  },
  // Itself calls the others in some versions of Node.
  readFileSync: (/** @type {Parameters<typeof readFileSync>} */ ...given) => {
    const [path] = given;
    isWhole = true;
    try {
      const content = readFileSync(...given);
      count(paths.get(path) ?? path, Buffer.byteLength(content));
      return content;
    } finally {
      isWhole = false;
    }
  },
});

const write = process.stdout.write.bind(process.stdout);
process.stdout.write = (/** @type {string | Uint8Array} */ chunk) => {
  process.send?.(bytes);
  bytes = {};
  return write(chunk);
};

// What is done on the side, on a timer that nobody waits for, is left out: the store that is opened
// early would be read before one answer or another, as fast as the machine is.
const { setTimeout: startTimer } = require('node:timers');
/** @type {(run: (...values: unknown[]) => void, ms?: number, ...values: unknown[]) => unknown} */
const leaveOut = (run, ms, ...values) => {
  const timer = startTimer(run, ms, ...values);
  timer.unref = () => {
    clearTimeout(timer);
    return timer;
  };
  return timer;
};
Object.assign(globalThis, { setTimeout: leaveOut });
