import { isObject } from './is-object.ts';

/** A call of an operation, and the request that carries it. */
export type CodedCall = {
  /** The operation's name, as in the contract. */
  name: string;
  input: unknown;
  method: string;
  /** The address of the service, without a slash at its end. */
  base_url: string;
  /** With the query string. */
  path: string;
  body: unknown;
};

/** How a program makes a call; the key comes from the environment. */
export const callAsCode = {
  curl: ({ method, base_url, path, body }: CodedCall) =>
    [
      `curl ${method === 'GET' ? '' : `-X ${method} `}'${base_url}${path}'`,
      `-H "Authorization: Token $MNEME_API_KEY"`,
      ...(body === null
        ? []
        : [
            `-H 'Content-Type: application/json'`,
            `-d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`,
          ]),
    ].join(' \\\n  '),
  TypeScript: ({ name, base_url, input }: CodedCall) =>
    [
      "import { createClient } from 'mneme/client';",
      '',
      'const client = createClient({',
      `  base_url: '${base_url}',`,
      "  api_key: process.env.MNEME_API_KEY ?? '',",
      '});',
      `const result = await client.${methodOf(name)}(${JSON.stringify(input, null, 2)});`,
    ].join('\n'),
  Python: ({ method, base_url, path, body }: CodedCall) =>
    [
      'import json, os, urllib.request',
      '',
      ...(body === null ? [] : [`body = ${pythonOf(body)}`]),
      'request = urllib.request.Request(',
      `    ${JSON.stringify(base_url + path)}, method="${method}",`,
      ...(body === null ? [] : ['    data=json.dumps(body).encode(),']),
      '    headers={"Authorization": f"Token {os.environ[\'MNEME_API_KEY\']}",',
      '             "Content-Type": "application/json"})',
      'print(json.load(urllib.request.urlopen(request)))',
    ].join('\n'),
};
export type CodeLanguage = keyof typeof callAsCode;

/** What the client calls the operation. */
function methodOf(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** JSON as a literal of Python, which has other words for three values. */
function pythonOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(pythonOf).join(', ')}]`;
  if (isObject(value)) {
    const pairs = Object.entries(value).filter(([, member]) => member !== undefined);
    return `{${pairs.map(([name, member]) => `${JSON.stringify(name)}: ${pythonOf(member)}`).join(', ')}}`;
  }
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return value === null ? 'None' : JSON.stringify(value);
}
