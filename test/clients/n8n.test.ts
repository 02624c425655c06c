import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownerKey } from '../e2e/service.ts';
import { type Server, startServer } from './server.ts';

type Assignment = { name: string; value: string };
type Node = {
  name: string;
  type: string;
  alwaysOutputData?: boolean;
  parameters: { [name: string]: string | object; assignments: { assignments: Assignment[] } };
};
type Connections = Record<string, { main: { node: string }[][] }>;

const printed = 'http://127.0.0.1:8787';
const workflow: { nodes: Node[]; connections: Connections } = JSON.parse(
  readFileSync('examples/n8n-workflow.json', 'utf8'),
);
/** What the credential "Header Auth" of the page holds. */
const headers = { Authorization: `Bearer ${ownerKey}` };

describe('the workflow for n8n', () => {
  let server: Server;

  beforeAll(async () => {
    server = await startServer();
  });

  afterAll(() => server.stop());

  it('remembers what is said, and recalls it', async () => {
    const outputs = new Map<string, object[]>();

    for (const node of nodesInOrder()) {
      outputs.set(node.name, await itemsOf(node, { outputs, url: server.url }));
    }

    expect([...outputs.keys()]).toEqual(['Start', 'Said', 'Remember', 'Recall']);
    const found = JSON.stringify(outputs.get('Recall'));
    expect(found).toContain('"memory":"User is allergic to hazelnuts."');
  });

  it('offers an agent the daily tools over MCP, for that user alone', async () => {
    const { parameters } = nodeNamed('mneme');
    const url = new URL(String(parameters['endpointUrl']).replace(printed, server.url));
    const client = new Client({ name: 'n8n', version: '1' });

    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
    const { tools } = await client.listTools();
    await client.callTool({ name: 'add_memory', arguments: { text: 'Keeps bees' } });
    await client.close();

    expect(parameters).toMatchObject({
      serverTransport: 'httpStreamable',
      authentication: 'headerAuth',
    });
    expect(tools).toHaveLength(7);
    const { body } = await server.send('GET', '/v1/memories/?user_id=ada');
    expect(JSON.stringify(body)).toContain('"memory":"Keeps bees"');
  });
});

function nodeNamed(name: string): Node {
  const node = workflow.nodes.find((one) => one.name === name);
  if (node === undefined) throw new Error(`no node ${name}`);
  return node;
}

/** From the trigger along the connections, which lead from each node to at most one. */
function nodesInOrder(): Node[] {
  const nodes: Node[] = [];
  for (let name: string | undefined = 'Start'; name !== undefined; ) {
    nodes.push(nodeNamed(name));
    name = workflow.connections[name]?.main[0]?.[0]?.node;
  }
  return nodes;
}

type Run = { outputs: ReadonlyMap<string, object[]>; url: string };

/** The items that a node passes on. */
async function itemsOf(node: Node, { outputs, url }: Run): Promise<object[]> {
  const { type, parameters } = node;
  if (type === 'n8n-nodes-base.manualTrigger') return [{}];
  if (type === 'n8n-nodes-base.set') {
    const { assignments } = parameters.assignments;
    const values = assignments.map(({ name, value }) => [name, value.replace(printed, url)]);
    return [Object.fromEntries(values)];
  }
  expect(parameters).toMatchObject({
    authentication: 'genericCredentialType',
    genericAuthType: 'httpHeaderAuth',
    sendBody: true,
    specifyBody: 'json',
  });
  const [input] = [...outputs.values()].at(-1) ?? [];
  const filledIn = (expression: unknown) => evaluated(String(expression), { input, outputs });
  const response = await fetch(filledIn(parameters['url']), {
    method: String(parameters['method']),
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: filledIn(parameters['jsonBody']),
  });
  expect(response.status).toBe(200);
  const body = await response.json();
  const items = Array.isArray(body) ? body : [body];
  return items.length === 0 && node.alwaysOutputData === true ? [{}] : items;
}

type Given = { input: object | undefined; outputs: ReadonlyMap<string, object[]> };

/** A parameter of n8n: after "=", what stands between braces is JavaScript. */
function evaluated(parameter: string, { input, outputs }: Given): string {
  const $ = (name: string) => ({ first: () => ({ json: outputs.get(name)?.[0] }) });
  expect(parameter).toMatch(/^=/);
  const codes = parameter.slice(1);
  return codes.replaceAll(/\{\{(.*?)\}\}/g, (_, code) =>
    runInNewContext(code, { $json: input, $ }),
  );
}
