// Replaces packages in the bundle by smaller parts of them.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The contents of replaced modules, by name. */
const standIns = {
  // The MCP SDK loads a validator for forms before its first response: its validator for workers is
  // an eighth of the size of the one for Node.
  '@modelcontextprotocol/server/_shims': `
    export { default as process } from 'node:process';
    export { CfWorkerJsonSchemaValidator as DefaultJsonSchemaValidator }
      from '@modelcontextprotocol/server/validators/cf-worker';`,
  // The whole of undici, with caches, mocks and web sockets, is more than half a megabyte.
  undici: `
    import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
    import api from 'undici/lib/api/index.js';
    Object.assign(Dispatcher.prototype, api);
    export { Dispatcher };
    export { default as Agent } from 'undici/lib/dispatcher/agent.js';
    export { default as EnvHttpProxyAgent } from 'undici/lib/dispatcher/env-http-proxy-agent.js';
    export { default as buildConnector } from 'undici/lib/core/connect.js';
    export { fetch } from 'undici/lib/web/fetch/index.js';`,
};

/** @returns {import('esbuild').Plugin} */
export function standInsPlugin() {
  const names = Object.keys(standIns).join('|');
  return {
    name: 'stand-ins',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: new RegExp(`^(${names})$`) }, ({ path }) => {
        return { path, namespace: 'stand-ins' };
      });
      onLoad({ filter: /./, namespace: 'stand-ins' }, ({ path }) => {
        return { contents: Reflect.get(standIns, path), resolveDir: root };
      });
    },
  };
}
