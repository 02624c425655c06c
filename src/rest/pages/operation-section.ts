import { html, raw } from 'hono/html';
import { callAsCode } from '../../contract/call-as-code.ts';
import { errorStatus } from '../../contract/errors.ts';
import { pathFields, toHttpRequest } from '../../contract/http-binding.ts';
import type { Operation, Route } from '../../contract/operation.ts';
import type { OperationName } from '../../contract.ts';
import { inputExamples } from '../openapi/examples.ts';
import { responseSchemas } from '../openapi/responses.ts';
import {
  componentSchemas,
  type InputField,
  inputFields,
  type OpenApiSchema,
  openApiFieldSchema,
} from '../openapi/schemas.ts';
import { sampleResponse } from './sample-response.ts';

/** Where `mneme serve` listens by default; the page's script puts its own address in its place. */
const base_url = 'http://127.0.0.1:8787';

export type Html = ReturnType<typeof html>;
type NamedOperation = { name: OperationName; record: Operation };

/** One operation: its recommended path, and the others folded. */
export function operationSection({ name, record }: NamedOperation): Html | string {
  const [route, ...others] = record.routes;
  if (route === undefined) return '';
  return html`<details class="operation" id="${name}">
<summary><span class="method ${route.method.toLowerCase()}">${route.method}</span>
<strong>${record.summary}</strong> <code class="path">${route.path}</code></summary>
<p>${prose(record.description)}</p>
${fieldLists(record, route)}
<h3>Example</h3>
${codeExample(name, record)}
<form class="try" data-route="${JSON.stringify(route)}"
${changesMuch(record, route) ? raw('data-careful') : ''}>
<label>Input as JSON <textarea name="input" rows="3" spellcheck="false" dir="ltr"
>${JSON.stringify(inputExamples[name], null, 2)}</textarea></label>
<button type="submit">Send</button>
<output></output>
</form>
<h3>Response</h3>
${response({ name, record }, route)}
<p class="quiet">Errors: ${errorsOf(record)}. Each says what is wrong, and names the field.</p>
${others.length > 0 ? otherPaths(others) : ''}
</details>`;
}

/** The same call in three languages, of which the page shows one. */
export function codeExample(
  name: OperationName,
  record: Operation,
  input: object = inputExamples[name],
): Html {
  const { method, path, body } = toHttpRequest(record, { ...input });
  const call = { name, input, method, base_url, path, body };
  return html`<div class="code">${Object.entries(callAsCode).map(
    ([language, codeOf]) =>
      html`<pre data-language="${language}" tabindex="0"><code>${codeOf(call)}</code></pre>`,
  )}</div>`;
}

/** Text in which backticks mark code. */
export function prose(text: string): (Html | string)[] {
  return text.split('`').map((part, at) => (at % 2 === 0 ? part : html`<code>${part}</code>`));
}

function fieldLists(record: Operation, route: Route): (Html | string)[] {
  const inPath = pathFields(route.path).flatMap((name): InputField[] => {
    const field = record.input.shape[name];
    return field === undefined ? [] : [{ name, schema: openApiFieldSchema(field), required: true }];
  });
  const others = inputFields(record, route);
  const mandatory = others.filter(({ required }) => required);
  const optional = others.filter(({ required }) => !required);
  return [
    fieldList('In the path', inPath),
    fieldList(`In the ${route.carries}`, mandatory),
    optional.length === 0
      ? ''
      : html`<details class="more"><summary>${optional.length} optional ${
          optional.length === 1 ? 'field' : 'fields'
        } in the ${route.carries}</summary>${fieldList('', optional)}</details>`,
  ];
}

function fieldList(title: string, fields: readonly InputField[]): Html | string {
  if (fields.length === 0) return '';
  const pairs = fields.map(
    ({ name, schema }) => html`<dt><code>${name}</code> <span class="quiet">${typeOf(schema)}</span>
</dt><dd>${prose(String(schema.description ?? '').replaceAll('\\<', '<'))}</dd>`,
  );
  return html`${title && html`<h3>${title}</h3>`}<dl>${pairs}</dl>`;
}

function typeOf(schema: OpenApiSchema): string {
  const { enum: values, anyOf, type, items, minimum, maximum, maxLength } = schema;
  if (Array.isArray(values)) return values.join(' | ');
  if (Array.isArray(anyOf)) return anyOf.map(typeOf).join(' | ');
  const name = [type ?? 'any'].flat().join(' | ');
  if (items !== undefined) return `array of ${typeOf(Object(items))}`;
  if (typeof maxLength === 'number') return `${name}, at most ${maxLength.toLocaleString('en')}`;
  const isBounded = typeof maximum === 'number' && maximum < Number.MAX_SAFE_INTEGER;
  return isBounded ? `${name}, ${minimum ?? ''} to ${maximum.toLocaleString('en')}` : name;
}

function response(operation: NamedOperation, route: Route): Html[] {
  return Object.entries(responseSchemas(operation, route)).map(([status, schema]) =>
    schema === null
      ? html`<p><code>${status}</code>, without a body.</p>`
      : html`<pre tabindex="0"><code>${`${status}\n${JSON.stringify(
          sampleResponse(schema, componentSchemas()),
          null,
          2,
        )}`}</code></pre>`,
  );
}

function errorsOf({ errors }: Operation): string {
  const words = errors.map((code) => `${errorStatus[code]} ${code}`);
  return ['401 unauthorized', '429 too many requests', ...words].toSorted().join(', ');
}

function changesMuch({ tool }: Operation, { method }: Route): boolean {
  return method === 'DELETE' || tool?.destructive === true;
}

function otherPaths(routes: readonly Route[]): Html {
  return html`<details class="more"><summary>Other paths, for clients that use them</summary>
<ul>${routes.map(
    ({ method, path }) => html`<li><code>${method} ${path}</code></li>`,
  )}</ul></details>`;
}
