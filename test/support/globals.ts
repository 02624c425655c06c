// Runs before each file of a worker that runs several: a server of Hono, once it has begun, leaves
// its own Request and Response in place of those of Node.js.

const kept = Symbol.for('mneme.test.globals');
const scope = globalThis as { [kept]?: object }; // where any file of this process finds it

scope[kept] ??= { Request, Response };
Object.assign(globalThis, scope[kept]);
