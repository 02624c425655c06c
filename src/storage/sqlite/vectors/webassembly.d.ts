/** What is used of WebAssembly; Node's types leave it to those of browsers. */
declare namespace WebAssembly {
  class Memory {
    constructor(size: { initial: number; maximum: number; shared: true });
    readonly buffer: SharedArrayBuffer;
    grow(pages: number): number;
  }
  class Module {
    constructor(binary: Uint8Array);
    /** Has no members of its own; this keeps other objects from passing for one. */
    private readonly compiled: unknown;
  }
  class Instance {
    constructor(module: Module, imports: Record<string, Record<string, unknown>>);
    readonly exports: unknown;
  }
}
