// Runs before each file of a worker that runs several: a server of Hono, once it has begun, leaves
// its own Request and Response in place of those of Node.js.

const kept = Symbol.for('mneme.test.globals');
const scope: { [kept]?: object } = globalThis;

scope[kept] ??= { Request, Response };
Object.assign(globalThis, scope[kept]);
