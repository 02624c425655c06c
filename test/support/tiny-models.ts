import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { conceptVector, knownWords } from './concept-vectors.ts';
import { type Graph, type Initial, onnxFile, type Port } from './onnx.ts';

type Wishes = {
  dimension?: number;
  /** The maximum number of tokens. */
  tokensMax?: number;
  /** Steps that only take time, like those of a large model. */
  slow?: number;
  /** Additional files, by path. */
  files?: Record<string, object>;
  /** Replaces the name of the network's file, by default that of `fp32`. */
  network?: string;
};

/** Writes an embedding model: a vector for each known word, the same one for synonyms. */
export function writeTinyEmbedder(folder: string, wishes: Wishes = {}): void {
  const { dimension = 64, slow = 0 } = wishes;
  const graph: Graph = {
    initials: [wordVectors(dimension), ...slowInitials(dimension, slow)],
    steps: [
      { operator: 'Gather', inputs: ['words', 'input_ids'], output: slow > 0 ? 'slow0' : 'made' },
      ...slowSteps(slow),
      { operator: 'Identity', inputs: ['made'], output: 'last_hidden_state' },
    ],
    inputs: [port('input_ids'), port('attention_mask'), port('token_type_ids')],
    outputs: [{ name: 'last_hidden_state', type: 'float', dims: ['texts', 'tokens', dimension] }],
  };
  writeModel(folder, { graph, architecture: 'BertModel' }, wishes);
}

/** Writes a cross-encoder, which returns how similar the words of both texts are. */
export function writeTinyReranker(folder: string, wishes: Wishes = {}): void {
  const { dimension = 64 } = wishes;
  const graph: Graph = {
    initials: [
      wordVectors(dimension),
      numbers('one', [], [1]),
      numbers('tenth', [], [0.1]),
      numbers('offset', [], [-3]),
      places('tokens_axis', 1),
      places('last_axis', 2),
    ],
    steps: [
      { operator: 'Gather', inputs: ['words', 'input_ids'], output: 'made' },
      cast('attention_mask', 'mask'),
      cast('token_type_ids', 'second'),
      { operator: 'Sub', inputs: ['one', 'second'], output: 'first' },
      ...['first', 'second'].flatMap((part) => [
        { operator: 'Mul', inputs: [part, 'mask'], output: `${part}_mask` },
        { operator: 'Unsqueeze', inputs: [`${part}_mask`, 'last_axis'], output: `${part}_wide` },
        { operator: 'Mul', inputs: ['made', `${part}_wide`], output: `${part}_words` },
        sum(`${part}_words`, `${part}_sum`, 0),
      ]),
      { operator: 'Mul', inputs: ['first_sum', 'second_sum'], output: 'both' },
      sum('both', 'likeness', 1),
      { operator: 'Mul', inputs: ['likeness', 'tenth'], output: 'scaled' },
      { operator: 'Add', inputs: ['scaled', 'offset'], output: 'logits' },
    ],
    inputs: [port('input_ids'), port('attention_mask'), port('token_type_ids')],
    outputs: [{ name: 'logits', type: 'float', dims: ['texts', 1] }],
  };
  writeModel(folder, { graph, architecture: 'BertForSequenceClassification' }, wishes);
}

const specials = ['[PAD]', '[UNK]', '[CLS]', '[SEP]'];
/** Including the words that models expect before texts. */
const words = [...specials, ...knownWords, 'query', 'passage', ':'];

function wordVectors(dimension: number): Initial {
  const rows = words.map((word) => {
    const row = conceptVector(specials.includes(word) ? '' : word, dimension);
    const length = Math.hypot(...row);
    return row.map((value) => (length === 0 ? 0 : (value / length) * 8));
  });
  // The first token differs from all words, so that tests can tell when only it counts.
  rows[specials.indexOf('[CLS]')] = conceptVector('beginning', dimension).map((one) => one / 1e6);
  rows[specials.indexOf('[SEP]')] = conceptVector('ending', dimension).map((one) => one / 1e6);
  return numbers('words', [words.length, dimension], rows.flat());
}

/** Matrices that multiply to nearly the identity. */
function slowInitials(dimension: number, slow: number): Initial[] {
  const identity = Array.from({ length: dimension * dimension }, (_, at) =>
    at % (dimension + 1) === 0 ? 1 : 0,
  );
  return slow > 0 ? [numbers('same', [dimension, dimension], identity)] : [];
}

function slowSteps(slow: number): Graph['steps'] {
  return Array.from({ length: slow }, (_, at) => {
    const output = at === slow - 1 ? 'made' : `slow${at + 1}`;
    return { operator: 'MatMul', inputs: [`slow${at}`, 'same'], output };
  });
}

type Network = { graph: Graph; architecture: string };

function writeModel(folder: string, { graph, architecture }: Network, wishes: Wishes): void {
  const { dimension = 64, tokensMax = 512, files = {}, network = 'model.onnx' } = wishes;
  const sizes = { hidden_size: dimension, max_position_embeddings: tokensMax };
  const all = {
    'config.json': { model_type: 'bert', architectures: [architecture], ...sizes },
    'tokenizer.json': tokenizer,
    'tokenizer_config.json': {
      tokenizer_class: 'BertTokenizer',
      model_max_length: tokensMax,
      pad_token: '[PAD]',
      unk_token: '[UNK]',
      cls_token: '[CLS]',
      sep_token: '[SEP]',
    },
    ...files,
  };
  for (const [path, content] of Object.entries(all)) write(join(folder, path), json(content));
  write(join(folder, 'onnx', network), onnxFile(graph));
}

const begin = { SpecialToken: { id: '[CLS]', type_id: 0 } };
const end = (type_id: number) => ({ SpecialToken: { id: '[SEP]', type_id } });
const part = (id: string, type_id: number) => ({ Sequence: { id, type_id } });
const special = (content: string) => {
  const id = words.indexOf(content);
  return { id: content, ids: [id], tokens: [content] };
};

const tokenizer = {
  version: '1.0',
  truncation: null,
  padding: null,
  added_tokens: specials.map((content, id) => ({
    id,
    content,
    special: true,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
  })),
  normalizer: {
    type: 'BertNormalizer',
    clean_text: true,
    handle_chinese_chars: true,
    strip_accents: null,
    lowercase: true,
  },
  pre_tokenizer: { type: 'BertPreTokenizer' },
  post_processor: {
    type: 'TemplateProcessing',
    single: [begin, part('A', 0), end(0)],
    pair: [begin, part('A', 0), end(0), part('B', 1), end(1)],
    special_tokens: { '[CLS]': special('[CLS]'), '[SEP]': special('[SEP]') },
  },
  decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
  model: {
    type: 'WordPiece',
    unk_token: '[UNK]',
    continuing_subword_prefix: '##',
    max_input_chars_per_word: 100,
    vocab: Object.fromEntries(words.map((word, id) => [word, id])),
  },
};

function port(name: string): Port {
  return { name, type: 'int64', dims: ['texts', 'tokens'] };
}

function numbers(name: string, dims: number[], values: number[]): Initial {
  return { name, dims, data: Float32Array.from(values) };
}

function places(name: string, place: number): Initial {
  return { name, dims: [1], data: BigInt64Array.of(BigInt(place)) };
}

function cast(input: string, output: string): Graph['steps'][number] {
  return { operator: 'Cast', inputs: [input], output, attributes: { to: 1 } };
}

function sum(input: string, output: string, keepdims: number): Graph['steps'][number] {
  return {
    operator: 'ReduceSum',
    inputs: [input, 'tokens_axis'],
    output,
    attributes: { keepdims },
  };
}

function json(value: object): string {
  return JSON.stringify(value);
}

function write(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
