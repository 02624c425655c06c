import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Dimensions of the vectors: those of a small real model. */
export const dimension = 384;

export type Embeddings = { url: string; close(): Promise<void> };

/**
 * An OpenAI-compatible embedding service without a model, the same for everybody: each word and each
 * run of four letters counts in a place that its hash names. It knows spellings, not meanings.
 */
export async function startEmbeddings(): Promise<Embeddings> {
  const http = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const { input } = JSON.parse(text) as { input: string | string[] };
    const data = [input].flat().map((one, index) => {
      return { object: 'embedding', index, embedding: vectorOf(one) };
    });
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ object: 'list', model: 'spelling', data }));
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port has such an address.
  const { port } = http.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    close: async () => {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

function vectorOf(text: string): number[] {
  const vector = new Array<number>(dimension).fill(0);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    count(vector, word, 1);
    for (let at = 0; at + 4 <= word.length; at += 1) count(vector, word.slice(at, at + 4), 0.5);
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}

/** FNV-1a; the bit that names no place decides the sign, so that collisions cancel out. */
function count(vector: number[], feature: string, weight: number): void {
  let hash = 0x811c9dc5;
  for (let at = 0; at < feature.length; at += 1) {
    hash = Math.imul(hash ^ feature.charCodeAt(at), 0x01000193) >>> 0;
  }
  const place = (hash >>> 1) % dimension;
  vector[place] = (vector[place] ?? 0) + (hash & 1 ? weight : -weight);
}
