/** The part of WebAssembly used here, which Node's types leave to the browser's. */
declare namespace WebAssembly {
  class Memory {
    constructor(size: { initial: number; maximum: number; shared: true });
    readonly buffer: SharedArrayBuffer;
    grow(pages: number): number;
  }
  class Module {
    constructor(binary: Uint8Array);
    /** Has no members; this keeps other objects from being accepted. */
    private readonly compiled: unknown;
  }
  class Instance {
    constructor(module: Module, imports: Record<string, Record<string, unknown>>);
    readonly exports: unknown;
  }
}
