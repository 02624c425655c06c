// The command line program with a record of the functions that run, which count-moves.mjs bundles
// and starts. Messages from the parent process say when to begin, and for which call.

/** Ids of functions in the order in which they were entered; null while not recording. */
let entered = /** @type {number[] | null} */ (null);
const write = process.stdout.write.bind(process.stdout);

/** Called at the start of every function of src. */
Object.assign(globalThis, { __entered: (/** @type {number} */ id) => entered?.push(id) });

process.on('message', () => {
  entered = [];
  process.send?.('recording');
});

// The response ends a record: nobody waits for what runs after it.
process.stdout.write = (/** @type {string | Uint8Array} */ chunk) => {
  if (entered !== null) process.send?.(entered);
  entered = null;
  return write(chunk);
};

const { run } = await import('../src/cli/run.ts');
await run(process.argv.slice(2));
