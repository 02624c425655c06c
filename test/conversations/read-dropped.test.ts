import { strToU8, type Zippable, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { parseConversations } from '../../src/conversations/parse-conversations.ts';
import { readDropped } from '../../src/dashboard/import/read-dropped.ts';

const chat = { id: 'sail', messages: [{ role: 'user', content: 'I sail.' }] };
const chats = strToU8(JSON.stringify([chat]));
const mib = 1024 * 1024;

function zipFile(files: Zippable, change: (bytes: Uint8Array) => void = () => {}) {
  const bytes = zipSync(files);
  change(bytes);
  return new File([bytes], 'export.zip');
}

/** Declares a size for each file in the directory of an archive, whatever they hold. */
function declare(bytes: Uint8Array, size: number): void {
  for (const entry of entriesIn(bytes)) entry.setUint32(24, size, true);
}

function* entriesIn(bytes: Uint8Array): Generator<DataView> {
  for (let at = 0; at < bytes.length - 46; at += 1) {
    const view = new DataView(bytes.buffer, bytes.byteOffset + at);
    if (view.getUint32(0) === 0x504b0102) yield view;
  }
}

describe('a file that is dropped', () => {
  it('is one text, in UTF-8 or UTF-16', async () => {
    const text = '## User\n\nI collect coins from Åland.\n';
    for (const content of [text, Buffer.from(`\ufeff${text}`, 'utf16le')]) {
      const sources = await readDropped(new File([content], 'notes.md'));

      expect(sources).toEqual({
        name: 'notes.md',
        left_out: {},
        isContainer: false,
        texts: [{ name: 'notes.md', text }],
      });
    }
  });

  it('is refused with its name when it is neither, or is something else', async () => {
    const latin = new File([Buffer.from('I am André.', 'latin1')], 'old.txt');
    await expect(readDropped(latin)).rejects.toThrow(/^old\.txt: line 1 is not UTF-8/);

    const sources = await readDropped(new File(['{"mneme":"export"}'], 'own.jsonl'));
    const refused = { code: 'invalid', next: 'Drop it on Backups.' };
    expect(() => parseConversations(sources, 'Drop it on Backups.')).toThrow(
      expect.objectContaining({
        ...refused,
        message: expect.stringMatching(/own\.jsonl looks like an export of mneme/),
      }),
    );
  });

  it('is refused before it is read when it is too large', async () => {
    const large = new File(['{}'], 'large.json');
    Object.defineProperty(large, 'size', { value: 200 * mib + 1 });

    await expect(readDropped(large)).rejects.toMatchObject({
      code: 'too_large',
      message: expect.stringMatching(/^large\.json is over 200 MB/),
    });
  });

  it('is refused with its name when the browser cannot read it', async () => {
    const arrayBuffer = () => Promise.reject(new DOMException('gone', 'NotFoundError'));
    const folder = new File([], 'chats');
    folder.slice = () => Object.assign(new Blob([]), { arrayBuffer });

    await expect(readDropped(folder)).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringMatching(/^chats cannot be read/),
    });
  });
});

describe('an archive that is dropped', () => {
  it('is read for its conversations, and what else it has is counted', async () => {
    const inner = zipSync({ 'conversations.json': chats, 'a.png': strToU8('x') });
    for (const files of [
      { 'export/conversations.json': chats, 'a.png': strToU8('x'), 'user.json': strToU8('{}') },
      { 'inner.zip': inner },
      { 'inner.zip': [inner, { level: 0 }] satisfies Zippable[string] },
    ]) {
      const found = parseConversations(await readDropped(zipFile(files)), '');

      expect(found.chats.map(({ id }) => id)).toEqual(['sail']);
      expect(found.left_out).toEqual({ image: 1 });
    }
  });

  it('is refused when it holds no conversation, goes too deep, or is cut off', async () => {
    let deep: Zippable = { 'conversations.json': chats };
    for (let depth = 0; depth < 3; depth += 1) deep = { 'inner.zip': zipSync(deep) };
    const whole = zipSync({ 'conversations.json': chats });

    for (const [file, why] of [
      [zipFile({ 'photo.png': strToU8('x') }), 'export.zip holds no conversations.json'],
      [zipFile(deep), 'export.zip holds no conversations.json'],
      [new File([whole.subarray(0, 40)], 'cut.zip'), 'cut.zip is a broken archive'],
    ] as const)
      await expect(readDropped(file)).rejects.toMatchObject({
        code: 'invalid',
        message: expect.stringContaining(why),
      });
  });

  it('is refused by the sizes that it declares, before anything is unpacked', async () => {
    const one = zipFile({ 'conversations.json': chats }, (bytes) => declare(bytes, 201 * mib));
    const numbers = ['0', '1', '2'];
    const files = Object.fromEntries(numbers.map((n) => [`conversations-${n}.json`, chats]));
    const all = zipFile(files, (bytes) => declare(bytes, 199 * mib));

    for (const [file, why] of [
      [one, 'export.zip: conversations.json is over 200 MB'],
      [all, 'export.zip holds over 500 MB'],
    ] as const)
      await expect(readDropped(file)).rejects.toMatchObject({
        code: 'too_large',
        message: expect.stringContaining(why),
      });
  });

  it('is refused when it holds more or less than it declares, or is encrypted', async () => {
    const files = { 'conversations.json': chats };
    for (const change of [
      (bytes: Uint8Array) => declare(bytes, chats.length - 1),
      (bytes: Uint8Array) => declare(bytes, chats.length + 1),
      (bytes: Uint8Array) => {
        for (const entry of entriesIn(bytes)) entry.setUint16(8, 1, true);
      },
    ])
      await expect(readDropped(zipFile(files, change))).rejects.toMatchObject({
        code: 'invalid',
        message: expect.stringMatching(/^export\.zip is a broken archive: /),
      });
  });
});
