import { createRequire } from 'node:module';
import { join } from 'node:path';
import { stemmer } from 'stemmer';
import { functionWords } from '../../../src/core/language/function-words.ts';
import type { Peer, Said } from './peer.ts';

/** An index of one conversation, in memory. */
type Index = {
  add(said: Said): unknown;
  /** After the last add. */
  build?(): void;
  search(query: string, top_k: number): string[] | Promise<string[]>;
};

/**
 * Libraries that index text, as references: any word of the question, the speaker beside the text,
 * English stems and function words as here where the library lets one say them, or its own; all else
 * as it comes.
 */
export async function openLibraries(packages: string): Promise<Peer[]> {
  const require = createRequire(join(packages, 'package.json'));
  const [MiniSearch, orama, flexsearch, lunr] = [
    ...['minisearch', '@orama/orama', 'flexsearch', 'lunr'].map((name) => require(name)),
  ];
  return [
    library('MiniSearch', () => miniSearch(MiniSearch)),
    library('Orama', () => oramaIndex(orama)),
    library('FlexSearch', () => flexSearch(flexsearch)),
    library('lunr', () => lunrIndex(lunr)),
  ];
}

function library(name: string, open: () => Index): Peer {
  const indexes = new Map<string, Index>();
  return {
    name,
    add: async (said) => {
      const index = indexes.get(said.user_id) ?? open();
      indexes.set(said.user_id, index);
      await index.add(said);
      return [said.id];
    },
    ready: async () => {
      for (const index of indexes.values()) index.build?.();
    },
    search: async (question, user_id, top_k) => {
      return (await indexes.get(user_id)?.search(question, top_k)) ?? [];
    },
    close: async () => indexes.clear(),
  };
}

// None of them is a package of this project, and so there are no types of them.
// biome-ignore-start lint/suspicious/noExplicitAny: see above.
type Foreign = any;
// biome-ignore-end lint/suspicious/noExplicitAny: see above.

const stopWords = [...functionWords.keys()].filter((word) =>
  functionWords.get(word)?.includes('english'),
);

const idOf = ({ id }: { id: string }) => id;

function miniSearch(MiniSearch: Foreign): Index {
  const index = new MiniSearch({
    fields: ['text', 'name'],
    processTerm: (term: string) => {
      const word = term.toLowerCase();
      return stopWords.includes(word) ? null : stemmer(word);
    },
  });
  return {
    add: (said) => index.add(said),
    search: (query, top_k) => index.search(query).slice(0, top_k).map(idOf),
  };
}

function oramaIndex({ create, insert, search }: Foreign): Index {
  const schema = { id: 'string', text: 'string', name: 'string' };
  const index = create({
    schema,
    components: { tokenizer: { stemming: true, stemmer, stopWords } },
  });
  return {
    add: ({ id, text, name }) => insert(index, { id, text, name }),
    search: async (term, limit) => {
      const { hits } = await search(index, { term, limit, properties: ['text', 'name'] });
      return hits.map(idOf);
    },
  };
}

function flexSearch({ Index: FlexIndex, Charset }: Foreign): Index {
  const index = new FlexIndex({ encoder: Charset.LatinBalance });
  return {
    add: ({ id, text, name }) => index.add(id, `${name}: ${text}`),
    search: (query, limit) => index.search(query, { limit, suggest: true }),
  };
}

/** Its indexes are made at once and never change. */
function lunrIndex(lunr: Foreign): Index {
  const waiting: Said[] = [];
  let index: Foreign = null;
  return {
    add: (said) => waiting.push(said),
    build: () => {
      index = lunr((builder: Foreign) => {
        for (const field of ['text', 'name']) builder.field(field);
        for (const said of waiting) builder.add(said);
      });
    },
    search: (query, top_k) => {
      const found: { ref: string }[] = index.query((asked: Foreign) => {
        for (const term of lunr.tokenizer(query)) asked.term(stemmed(term.toString()), {});
      });
      return found.slice(0, top_k).map(({ ref }) => ref);
    },
  };

  function stemmed(word: string): string {
    const bare = word.replace(/\W/g, '');
    return lunr.stemmer(new lunr.Token(bare, {})).toString();
  }
}
