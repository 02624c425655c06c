import { describe, expect, it } from 'vitest';
import { analyze, analyzeQuery } from '../../src/core/language/terms-of-text.ts';

describe('index terms', () => {
  it('are stems of words, in order, without case or accents', () => {
    expect(analyze('Hiking, hikes & Café hopping!')).toEqual(['hike', 'hike', 'cafe', 'hop']);
  });

  it('hold what is written in parts as one word, too', () => {
    expect(analyze('Wi-Fi, node.js')).toEqual(['wi', 'fi', 'wifi', 'node', 'js', 'nodej']);
    expect(analyze('(555) 010-9999')).toEqual(['555', '010', '9999', '550109999']);
  });

  it('are two of a form that belongs to two words', () => {
    expect(analyze('lives left')).toEqual(['life', 'live', 'leav', 'left']);
  });

  it('join what an apostrophe separates and drop the possessive', () => {
    expect(analyze("Alice's cat doesn’t purr")).toEqual(['alic', 'cat', 'doesnt', 'purr']);
  });

  it('are pairs of characters in scripts written without spaces', () => {
    expect(analyzeQuery('東京タワーへ2024年')).toEqual([
      '東京',
      '京た',
      'たわ',
      'わー',
      'ーへ',
      '2024',
      '年',
    ]);
    expect(analyzeQuery('猫')).toEqual(['猫']);
    expect(analyze('黒猫')).toEqual(['黒', '猫', '黒猫']);
  });

  it('hold nothing that a full-text query language could read', () => {
    const hostile = 'NEAR("a" OR b*) ^c {d}:e -f \u0000 \uD800 g_h';

    for (const term of analyze(hostile)) expect(term).toMatch(/^[a-z0-9\u0080-\u{10FFFF}]+$/u);
  });

  it('leave function words out of a question, unless it holds nothing else', () => {
    expect(analyzeQuery('When did I move to Lisbon?')).toEqual(['move', 'lisbon']);
    expect(analyzeQuery('Who am I?')).toEqual(['who', 'am', 'i']);
  });

  it('are few, however long the text without a break', () => {
    expect(analyze('x'.repeat(32_000))[0]).toHaveLength(64);
    expect(analyzeQuery(Array.from({ length: 900 }, (_, n) => `w${n}`).join(' '))).toHaveLength(64);
  });
});
