import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

type Exports = Record<string, unknown>;
type Require = (id: string) => unknown;
type Module = { exports: Exports };

/** The variables of a CommonJS module; `here` replaces its `import.meta`. */
type ModuleScope = {
  exports: Exports;
  require: Require;
  module: Module;
  here: { readonly url: string };
};

/** A module as scripts/program.mjs wraps it. */
type ModuleBody = (scope: ModuleScope) => void;
type ModuleBodies = Readonly<Record<string, ModuleBody>>;

/**
 * Returns a `require` for the modules of the program: `./FILE#NAME` is a module in a file of that
 * folder, and `runFile` returns the value of the file. Node resolves everything else.
 */
export function createModuleLoader(folder: string, runFile: (path: string) => unknown): Require {
  const requireOther = createRequire(join(folder, 'any.cjs'));
  const files = new Map<string, ModuleBodies>();
  const modules = new Map<string, Module>();

  const bodiesOf = (path: string): ModuleBodies => {
    const values = files.get(path);
    if (values) return values;
    const bodies = runFile(path) as ModuleBodies; // The build guarantees this shape.
    files.set(path, bodies);
    return bodies;
  };

  const require: Require = (id) => {
    if (!id.startsWith('./')) return requireOther(id);
    const cachedModule = modules.get(id);
    if (cachedModule) return cachedModule.exports;
    const [file = '', name = ''] = id.split('#');
    const path = join(folder, file);
    const body = bodiesOf(path)[name];
    if (!body) throw new Error(`${path} has no ${name}`);
    const module: Module = { exports: {} };
    modules.set(id, module);
    try {
      body({ exports: module.exports, require, module, here: importMetaOf(path) });
    } catch (error) {
      modules.delete(id); // like Node: the next call tries again
      throw error;
    }
    return module.exports;
  };
  return require;
}

/** Few modules use it, and making a URL takes time. */
function importMetaOf(path: string): ModuleScope['here'] {
  return {
    get url() {
      return pathToFileURL(path).href;
    },
  };
}
