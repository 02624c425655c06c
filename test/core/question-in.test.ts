import { describe, expect, it } from 'vitest';
import { limits } from '../../src/contract/limits.ts';
import { questionIn } from '../../src/core/context/question-in.ts';

/** Lines of a log, of about this many characters. */
function logOf(chars: number): string {
  const lines: string[] = [];
  for (let at = 0, length = 0; length < chars; at += 1) {
    const line = `2026-11-26T10:${String(at % 60).padStart(2, '0')}:07.113Z INFO [worker-${at % 7}] job ${at * 7919} done in ${at % 97}ms (queue=mail, retries=${at % 3})`;
    lines.push(line);
    length += line.length;
  }
  return lines.join('\n');
}

const trace = `TypeError: Cannot read properties of undefined (reading 'id')
    at Object.handle (/srv/app/src/handler.ts:41:17)
    at process.processTicksAndRejections (node:internal/process/task_queues:105:5)
`.repeat(20);

const questions = [
  'What is the rollback code of project Zephyr?',
  'what was the rollback code for zephyr',
  'Wie lautet der Rollback-Code von Zephyr?',
  'Quel est le code de retour de Zephyr ?',
  '¿Cuál es el código de Zephyr?',
  'Qual è il codice di Zephyr?',
  'Qual é o código de Zephyr?',
  'Какой код отката у Зефира?',
  'ゼファーのロールバックコードは何ですか？',
  'ゼファーのロールバックコードは何ですか',
  'Zephyr项目的回滚代码是什么？',
  'ما هو رمز زفير؟',
];

describe('a question in a paste', () => {
  it.each(questions)('is found wherever it stands: %s', (question) => {
    for (const paste of [logOf(1500), logOf(4700), logOf(12_000), trace]) {
      const half = paste.indexOf('\n', paste.length / 2);
      expect(questionIn(`${question}\n\n${paste}`)).toBe(question);
      expect(questionIn(`${paste}\n\n${question}`)).toBe(question);
      expect(questionIn(`${paste.slice(0, half)}\n${question}\n${paste.slice(half)}`)).toBe(
        question,
      );
    }
  });

  it('is found beside what introduces the paste', () => {
    const asked = questionIn(
      `The deploy failed again. Here is the log:\n${logOf(3000)}\n${questions[0]}`,
    );

    expect(asked).toContain(questions[0]);
    expect(asked).not.toContain('INFO');
  });

  it('is read with what it refers to', () => {
    const asked = questionIn(
      `We moved Zephyr to the new cluster.\n${logOf(3000)}\nWhy does it fail?`,
    );

    expect(asked).toBe('We moved Zephyr to the new cluster.\nWhy does it fail?');
  });

  it('comes before what a program asks in its output', () => {
    const output = `${logOf(3000)}\nconnection refused: is the server running on that host?\n${logOf(3000)}`;

    expect(questionIn(`${output}\nWhich port does Ada use?`)).toBe('Which port does Ada use?');
  });

  it('may be none: then what people wrote at the ends says what it is about', () => {
    const asked = questionIn(
      `Please fix the rollback of Zephyr.\n${logOf(6000)}\nThanks a lot, Ada`,
    );

    expect(asked).toContain('Please fix the rollback of Zephyr.');
    expect(asked).toContain('Thanks a lot, Ada');
    expect(asked).not.toContain('2026-11-26');
  });

  it('leaves usual questions and messages in plain words as they are', () => {
    const story = 'We went to the lake in June and stayed at the inn by the mill. '.repeat(25);

    for (const text of ['cat', `${'Which pier does the ferry leave from? '.repeat(3)}`, story])
      expect(questionIn(text)).toBe(text);
  });

  it('leaves a bare log as it is but for its times, which nobody asks about', () => {
    const log = logOf(1500);

    const asked = questionIn(log);

    expect(asked).not.toMatch(/\d{4}-\d\d-\d\d|\d\d:\d\d/);
    expect(asked.split('\n')).toHaveLength(log.split('\n').length);
  });

  it('is never longer than a search reads, of whatever text', () => {
    const pieces = [
      'a',
      'a ',
      'why? ',
      '?',
      '\n',
      'ﷺ',
      '猫',
      '🦊',
      'Why is\n',
      ' .',
      "'",
      'か。',
      '\u0301',
    ];
    for (const piece of pieces) {
      const text = piece.repeat(Math.floor(limits.message_max_chars / piece.length));
      const started = performance.now();
      const asked = questionIn(text.slice(0, piece === 'ﷺ' ? 5000 : undefined));
      expect(performance.now() - started, piece).toBeLessThan(500);
      expect(asked.normalize('NFKC').length, piece).toBeLessThanOrEqual(limits.query_max_chars);
      if (piece !== '🦊') expect(asked.isWellFormed()).toBe(true);
    }
  });
});
