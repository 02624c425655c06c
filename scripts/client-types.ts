// Prints the client's types: inputs, outputs and methods of all operations, with their descriptions
// from the contract. Users then need no zod, and their editor shows plain types instead of schemas.
import ts from 'typescript';
import * as z from 'zod';
import { methodName } from '../src/client/create-methods.ts';
import { documentedDefault, type Option } from '../src/config/option.ts';
import { orderedOptions } from '../src/config/option-sections.ts';
import { options } from '../src/config/options.ts';
import type { Operation } from '../src/contract/operation.ts';
import { contract } from '../src/contract.ts';
import { doc, documented, type Field, nouns, printer } from './type-printer.ts';

/** The declarations that the build puts where those of `src/client/operations.ts` would be. */
export async function clientTypes(): Promise<string> {
  const known = await nouns();
  const print = printer(known);
  const operations = Object.entries<Operation>(contract);
  return [
    "import type { Paged, RequestOptions } from './paged.ts';",
    ...known.map((noun) => doc(noun.about) + print.declaration(noun.name, noun.shape)),
    ...operations.flatMap(([name, { input, output }]) => [
      ...(print.nameOf(output) ? [] : [print.declaration(outputName(name), output.shape)]),
      print.declaration(inputName(name), input.shape),
    ]),
    `/** A method for each operation. What is refused is thrown as an \`ApiError\`. */\nexport interface Operations {\n${operations.map(method).join('\n\n')}\n}\n`,
  ].join('\n\n');

  function method([name, operation]: [string, Operation]): string {
    const { input, output } = operation;
    const needed = !input.safeParse({}).success || operation.tool?.destructive === true;
    const answer = print.nameOf(output) ?? outputName(name);
    const item = itemOf(output);
    const result = item === null ? `Promise<${answer}>` : `Paged<${answer}, ${print.type(item)}>`;
    const about = `${operation.description}\n\n@throws {ApiError} ${operation.errors.join(', ')}`;
    const args = `input${needed ? '' : '?'}: ${inputName(name)}, options?: RequestOptions`;
    return `${doc(about)}${methodName(name)}(${args}): ${result};`;
  }
}

/** The same for reviewers, in `src/client/operations.md`: each declaration in one line. */
export async function clientReport(): Promise<string> {
  const file = ts.createSourceFile('', await clientTypes(), ts.ScriptTarget.Latest);
  const { printNode } = ts.createPrinter({ removeComments: true });
  const declarations = file.statements.filter((node) => !ts.isImportDeclaration(node));
  const lines = declarations.flatMap((node) => {
    const isTable = ts.isInterfaceDeclaration(node) && node.name.text === 'Operations';
    return isTable ? ['', ...node.members.map(line)] : [line(node)];
  });
  return [
    '# Public types\n',
    'What `mneme/client` and `mneme` declare, without the descriptions: first the types, then the',
    'methods. Generated from the contract by `npm run generate`, so that a change of the public types',
    'shows up in review; the build writes the declarations themselves.\n',
    `\`\`\`ts\n${lines.join('\n')}\n\`\`\`\n`,
  ].join('\n');

  function line(node: ts.Node): string {
    const text = printNode(ts.EmitHint.Unspecified, node, file).replace(/\s+/g, ' ');
    // A field that may be absent may be undefined, too.
    return text.replace(/^export | \| undefined|, options\?: RequestOptions/g, '');
  }
}

/** The text of `src/app/engine-options.ts`: the options of the table that concern the engine. */
export function engineOptionTypes(): string {
  const print = printer([]);
  const shown = orderedOptions.filter((name) => (options[name] as Option).engine);
  const fields = shown.map((name): [string, Field] => {
    const option: Option = options[name];
    // Ids have no default: a program must say whose memories it stores.
    const rest = name.endsWith('_id') ? '' : ` Default: ${documentedDefault(option)}.`;
    return [
      name,
      { type: print.type(option.schema), optional: true, about: option.description + rest },
    ];
  });
  return [
    '// Generated from the options by `npm run generate`.\n',
    '/** Options of the engine, as in the configuration. */',
    `export interface EngineOptions {\n${documented(Object.fromEntries(fields))}\n}\n`,
  ].join('\n');
}

/** The item of a page; null if an output is not a page. */
function itemOf({ shape }: z.ZodObject): z.ZodType | null {
  const { results, page_size } = shape;
  if (!(results instanceof z.ZodArray) || page_size === undefined) return null;
  return results.element as z.ZodType;
}

function inputName(name: string): string {
  return `${pascal(name)}Input`;
}

function outputName(name: string): string {
  return `${pascal(name)}Output`;
}

function pascal(name: string): string {
  return methodName(`_${name}`);
}
