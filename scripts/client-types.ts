// Prints the client's types: inputs, outputs and methods of all operations, with their descriptions
// from the contract. Users then need no zod, and their editor shows plain types instead of schemas.
import * as z from 'zod';
import { methodName } from '../src/client/create-methods.ts';
import { documentedDefault, type Option } from '../src/config/option.ts';
import { orderedOptions } from '../src/config/option-sections.ts';
import { options } from '../src/config/options.ts';
import type { Operation } from '../src/contract/operation.ts';
import { contract } from '../src/contract.ts';
import { doc, documented, type Field, nouns, printer } from './type-printer.ts';

/** The text of `src/client/operations.ts`. */
export async function clientTypes(): Promise<string> {
  const known = await nouns();
  const print = printer(known);
  const operations = Object.entries<Operation>(contract);
  return [
    '// Generated from the contract by `npm run generate`.',
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
