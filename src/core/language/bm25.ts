/**
 * How words are weighed by the formulas of ports/bm25.ts, wherever memories are ordered by them: in
 * the ranking (search/rank/rank.ts), and where storage proposes candidates. `k1` and `b`,
 * saturation and length normalisation: the values that did best on turns of conversations, which
 * are short (test/bench/README.md); .6 to 1.2 and .4 to .6 find the same within half a point.
 * `speakerFrequency`: a question that names a speaker is mostly about what that speaker said, as if
 * named in it.
 */
export const bm25 = { k1: 0.9, b: 0.5, speakerFrequency: 1.5 };
