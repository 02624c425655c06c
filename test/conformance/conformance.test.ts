import { beforeAll, describe, expect, it } from 'vitest';
import { installTimeoutMs } from '../support/packages.ts';
import { contradictions, exceptions, needFixtures } from './exceptions.ts';
import { type Started, startProduct, startProductWithFixtures } from './product-server.ts';
import { startSdkServer } from './sdk-server.ts';
import {
  type Findings,
  installSuite,
  type Revision,
  revisions,
  runMaxMs,
  runSuite,
} from './suite.ts';
import { tableOf } from './table.ts';

const runs = 3 * revisions.length;
let sdk: Results;
let withFixtures: Results;
let alone: Results;

beforeAll(
  async () => {
    await installSuite();
    sdk = await resultsOf(startSdkServer);
    withFixtures = await resultsOf(startProductWithFixtures);
    alone = await resultsOf(startProduct);
  },
  installTimeoutMs + runs * runMaxMs,
);

describe.each(revisions)('what revision %s requires', (revision) => {
  it('is passed by the SDK with the fixtures on it', () => {
    expect(contradictions(sdk[revision], [])).toEqual([]);
  });

  it('is passed by the server with the fixtures on top, but for the exceptions', () => {
    expect(contradictions(withFixtures[revision], exceptions[revision])).toEqual([]);
  });

  it('is passed by the server itself, but for what needs the fixtures', () => {
    expect(contradictions(alone[revision], needFixtures[revision])).toEqual([]);
  });
});

it('results.md tells what passes', async () => {
  const tables = revisions.map((revision) =>
    tableOf(revision, [
      { title: 'the SDK with the fixtures', found: sdk[revision], listed: [] },
      {
        title: 'the server with the fixtures',
        found: withFixtures[revision],
        listed: exceptions[revision],
      },
      { title: 'the server itself', found: alone[revision], listed: needFixtures[revision] },
    ]),
  );
  const heading = '# What the conformance suite found\n';

  await expect([heading, ...tables].join('\n')).toMatchFileSnapshot('results.md');
});

type Results = Record<Revision, Findings>;

/** Runs the suite for each revision, one after the other, on one server. */
async function resultsOf(start: () => Promise<Started>): Promise<Results> {
  const server = await start();
  try {
    return {
      '2025-11-25': await runSuite(server.url, '2025-11-25'),
      '2026-07-28': await runSuite(server.url, '2026-07-28'),
    };
  } finally {
    await server.close();
  }
}
