// The program of the command line with a record of the functions that run: what count-moves.mjs
// bundles and starts. It is told on the channel between processes when to begin, and for what.

/** Ids of functions in the order in which they were entered; null while nobody records. */
let entered = /** @type {number[] | null} */ (null);
const write = process.stdout.write.bind(process.stdout);

/** Called at the start of every function of src. */
Object.assign(globalThis, { __entered: (/** @type {number} */ id) => entered?.push(id) });

process.on('message', () => {
  entered = [];
  process.send?.('recording');
});

// The answer ends a record: what runs after it, nobody waits for.
process.stdout.write = (/** @type {string | Uint8Array} */ chunk) => {
  if (entered !== null) process.send?.(entered);
  entered = null;
  return write(chunk);
};

const { run } = await import('../src/cli/run.ts');
await run(process.argv.slice(2));
