import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, expectTypeOf, it } from 'vitest';
import type { EngineOptions } from '../../src/app/engine-options.ts';
import { createMethods, methodName } from '../../src/client/create-methods.ts';
import type { CamelCase } from '../../src/client/operations.ts';
import type { Operations } from '../../src/client.ts';
import type { Config } from '../../src/config/options.ts';
import { contract, type Input, type OperationName, type Output } from '../../src/contract.ts';

type Method<N extends OperationName> = Operations[CamelCase<N> & keyof Operations];
type Given<N extends OperationName> = NonNullable<Parameters<Method<N>>[0]>;
type Answered<N extends OperationName> = Awaited<ReturnType<Method<N>>>;

/** Operations for which a comparison fails. */
type Refused = { [N in OperationName]: Given<N> extends Input<N> ? never : N }[OperationName];
type Undeclared = {
  [N in OperationName]: Output<N> extends Answered<N> ? never : N;
}[OperationName];
type Invented = { [N in OperationName]: Answered<N> extends Output<N> ? never : N }[OperationName];

it('each operation has a method, and there is no other', () => {
  const { waitForEvent, ...methods } = createMethods(async () => null);

  expect(Object.keys(methods)).toEqual(Object.keys(contract).map(methodName));
  expect(waitForEvent).toBeTypeOf('function');
});

it('the published types are those of the contract and of the options', () => {
  expectTypeOf<keyof Operations>().toEqualTypeOf<CamelCase<OperationName>>();
  expectTypeOf<Refused>().toBeNever();
  expectTypeOf<Undeclared>().toBeNever();
  expectTypeOf<Invented>().toBeNever();
  expectTypeOf<Given<'search_memories'>['query']>().toEqualTypeOf<string>();
  expectTypeOf<Given<'search_memories'>['top_k']>().toEqualTypeOf<number | undefined>();
  expectTypeOf<Given<'add_memory'>['infer']>().toEqualTypeOf<boolean | undefined>();
  expectTypeOf<Answered<'get_memory'>['expiration_date']>().toEqualTypeOf<string | null>();
  type Known = { [N in keyof EngineOptions]-?: NonNullable<Config[N & keyof Config]> };
  expectTypeOf<{
    [N in keyof EngineOptions]-?: NonNullable<EngineOptions[N]>;
  }>().toEqualTypeOf<Known>();

  // What stands above says nothing while it runs: the compiler has to read it, of what is built.
  expect(problemsIn(fileURLToPath(import.meta.url))).toEqual([]);
});

/** What the compiler says about a program, with the published types of the client. */
function problemsIn(file: string): string[] {
  const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, process.cwd());
  const host = ts.createCompilerHost(options);
  const read = host.readFile;
  host.readFile = (path) => {
    const text = read(path);
    return path === file ? text?.replace('/src/client.ts', '/dist/types/client.js') : text;
  };
  const program = ts.createProgram([file], options, host);
  const diagnostics = program.getSemanticDiagnostics(program.getSourceFile(file));
  return diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}
