import type { EmbeddingPurpose, Pooling } from './process-messages.ts';

/** The prefixes that a model was trained with, and how its token vectors become one. */
export type EmbeddingConventions = { pooling: Pooling; prefixes: Record<EmbeddingPurpose, string> };

const noPrefixes = { question: '', memory: '' };
const searchPrefix = 'Represent this sentence for searching relevant passages: ';
const retrievalInstruction =
  'Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:';

/**
 * From the documentation of each family, matched by name; the first match wins. Many conversions
 * omit the files in which a model describes itself.
 */
const modelFamilies: readonly [name: RegExp, manner: EmbeddingConventions][] = [
  [
    /e5-.*instruct/,
    { pooling: 'mean', prefixes: { question: `${retrievalInstruction} `, memory: '' } },
  ],
  [/\be5-/, { pooling: 'mean', prefixes: { question: 'query: ', memory: 'passage: ' } }],
  [/bge-m3/, { pooling: 'cls', prefixes: noPrefixes }],
  [
    /bge-.*-zh/,
    {
      pooling: 'cls',
      prefixes: { question: '为这个句子生成表示以用于检索相关文章：', memory: '' },
    },
  ],
  [/bge-|mxbai-embed/, { pooling: 'cls', prefixes: { question: searchPrefix, memory: '' } }],
  [/arctic-embed-.*v2/, { pooling: 'cls', prefixes: { question: 'query: ', memory: '' } }],
  [/arctic-embed/, { pooling: 'cls', prefixes: { question: searchPrefix, memory: '' } }],
  [
    /nomic-embed|modernbert-embed/,
    { pooling: 'mean', prefixes: { question: 'search_query: ', memory: 'search_document: ' } },
  ],
  [
    /embeddinggemma/,
    {
      pooling: 'mean',
      prefixes: { question: 'task: search result | query: ', memory: 'title: none | text: ' },
    },
  ],
  [
    /qwen3-embedding/,
    { pooling: 'last', prefixes: { question: retrievalInstruction, memory: '' } },
  ],
  [/gte-.*v1\.5|gte-multilingual|gte-modernbert/, { pooling: 'cls', prefixes: noPrefixes }],
  [/granite-embedding/, { pooling: 'cls', prefixes: noPrefixes }],
];

/** The conventions that a model's name implies: by default the mean, without prefixes. */
export function conventionsOfName(model: string): EmbeddingConventions {
  const name = model.toLowerCase().split(/[\\/]/).at(-1) ?? '';
  const [, manner] = modelFamilies.find(([pattern]) => pattern.test(name)) ?? [];
  return manner ?? { pooling: 'mean', prefixes: noPrefixes };
}
