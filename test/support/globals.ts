// Runs before each file of a worker that runs several: a Hono server replaces the Request and
// Response of Node.js with its own.

const kept = Symbol.for('mneme.test.globals');
const scope = globalThis as { [kept]?: object }; // shared by all files of this process

scope[kept] ??= { Request, Response };
Object.assign(globalThis, scope[kept]);
