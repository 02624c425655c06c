import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { contract, type OperationName } from '../../src/contract.ts';
import { inputExamples } from '../../src/rest/openapi/examples.ts';
import { operationRoutes } from '../../src/rest/operations/router.ts';
import { bodyOf, clientOf } from './support.ts';

type Described = {
  operationId: string;
  'x-operation': string;
  parameters: { $ref?: string }[];
  requestBody?: object;
  responses: object;
};
type Document = { openapi: string; paths: Record<string, Record<string, Described>> };

async function fetchDocument(): Promise<Document> {
  return bodyOf(clientOf({}).app.request('/openapi.json'));
}

function describedIn({ paths }: Document) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, about]) => ({ path, method, about })),
  );
}

describe('/openapi.json', () => {
  it('is a valid document of OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(await fetchDocument());

    expect(errors ?? []).toEqual([]);
    expect(valid).toBe(true);
  });

  it('describes every route, each under a name of its own', async () => {
    const described = describedIn(await fetchDocument());

    const routes = described.map(({ path, method }) => `${method.toUpperCase()} ${path}`);
    const names = described.map(({ about }) => about.operationId);
    expect(routes.sort()).toEqual(
      operationRoutes.map(({ route }) => `${route.method} ${route.path}`).sort(),
    );
    expect(new Set(names).size).toBe(names.length);
  });

  it('names every operation as the contract does', async () => {
    const described = describedIn(await fetchDocument());

    const names = described.map(({ about }) => about.operationId);
    expect(names).toEqual(expect.arrayContaining(Object.keys(contract)));
  });

  it('has an example of every operation, which the operation takes', async () => {
    const refused = Object.entries(contract).filter(([name, { input }]) => {
      return !input.safeParse(inputExamples[name as OperationName]).success;
    });
    const described = describedIn(await fetchDocument());
    const requestBody = described.find(({ about }) => about.operationId === 'update_memory')?.about
      .requestBody;

    expect(refused.map(([name]) => name)).toEqual([]);
    // Without memory_id, which is in the path.
    expect(requestBody).toMatchObject({
      content: { 'application/json': { example: { text: inputExamples.update_memory.text } } },
    });
    expect(JSON.stringify(requestBody)).not.toContain('"memory_id"');
  });

  it('says how every route can be refused', async () => {
    for (const { about } of describedIn(await fetchDocument())) {
      const statuses = Object.keys(about.responses);
      expect(statuses, about.operationId).toEqual(
        expect.arrayContaining(['400', '401', '429', '431', '500', '503']),
      );
    }
  });

  it('has these paths', async () => {
    const described = describedIn(await fetchDocument());

    const lines = described.map(({ path, method, about }) =>
      [method.toUpperCase(), path, about.operationId, Object.keys(about.responses)].join(' '),
    );
    await expect(lines.sort().join('\n')).toMatchFileSnapshot('snapshots/openapi-paths.snap');
  });

  it('takes an Idempotency-Key where something is changed', async () => {
    const reference = '#/components/parameters/IdempotencyKey';
    for (const { about } of describedIn(await fetchDocument())) {
      const isRead = contract[about['x-operation'] as OperationName].scope.endsWith(':read');
      expect(about.parameters.some(({ $ref }) => $ref === reference)).toBe(!isRead);
    }
  });

  it('says which parameters travel as JSON text', async () => {
    const { paths } = await fetchDocument();

    expect(paths['/v1/memories/']?.delete).toMatchObject({
      parameters: expect.arrayContaining([
        expect.objectContaining({
          name: 'metadata',
          in: 'query',
          content: { 'application/json': { schema: expect.objectContaining({ type: 'object' }) } },
        }),
      ]),
    });
  });
});
