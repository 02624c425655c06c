// Keeps published clients at home: a connection to anywhere but this machine is refused before its
// name is resolved, and kept in `refused` and on stderr so that a test can say that there was none.
import { Socket } from 'node:net';

/** @type {string[]} */
export const refused = [];

const { connect } = Socket.prototype;

/** @param {unknown[]} args */
Socket.prototype.connect = function guarded(...args) {
  const host = hostOf(args);
  if (host === null || host === '127.0.0.1' || host === 'localhost') {
    return Reflect.apply(connect, this, args);
  }
  refused.push(host);
  process.stderr.write(`refused a connection to ${host}\n`);
  throw new Error(`refused a connection to ${host}`);
};

/** Node passes on normalised arguments as an array in the first place. Null is a pipe. */
function hostOf(/** @type {unknown[]} */ args) {
  const [first, second] = Array.isArray(args[0]) ? args[0] : args;
  if (typeof first === 'object' && first !== null) {
    const options = /** @type {{ host?: string, path?: string }} */ (first);
    return options.path !== undefined ? null : (options.host ?? 'localhost');
  }
  return typeof second === 'string' ? second : 'localhost';
}
