/**
 * What each part of a score counts, and where the number comes from: all that is measured on
 * conversations is in test/bench/README.md, and what a search does with it in the file that is
 * named. What words count is in core/language/bm25.ts, because extraction and storage order by it
 * too. The last step, from the sum to the score, is in rank/calibrate.ts.
 */

/** Counts up with each change of what searches answer: recalls name it. */
export const rankingVersion = 2;

/**
 * What two words in the order of the question add to the words themselves
 * (rank/term-weights.ts). From the first measurements; .1 to .5 find nearly the same.
 */
export const bigramWeight = 0.2;

/**
 * A question with more words than `termsMin` is a whole message, as hooks send it: only its
 * `tellingTerms` rarest words count (rank/term-weights.ts). From RealMem, where all words find
 * 2 points less; the questions of the other sets are shorter.
 */
export const longQuestion = { termsMin: 15, tellingTerms: 10 };

/**
 * What is said is understood from what was said before and after it: a passage takes a share of
 * the words of those one and two places away in its run (rank/context-window.ts). So "Three times a
 * week!" answers a question about the running that was talked of. From the first measurements,
 * where .35 and .18 did as well.
 */
export const contextShares = [0.3, 0.15] as const;

/**
 * In a talk of people, what follows a question answers it: it takes this many times as much of the
 * words of the turn before if that one asks (rank/context-window.ts). From LoCoMo: at 1.7 its MRR
 * is .003 lower, at 3 it is .004 higher and R@10 .3 points lower. Where an assistant asks, the next
 * message is mostly a new request.
 */
export const answerBoost = 2;

/**
 * A turn takes this share of the likeness to the question of the turns on its two sides
 * (rank/turn-similarities.ts). From LoCoMo, BEAM and RealMem, which all find more with .3; with
 * .4 and .5, and with shares of turns two places away, BEAM finds less.
 */
export const similarityShare = 0.3;

/** A session that is about the question lifts all that was said in it; .2 to .5 do the same. */
export const sessionShare = 0.3;

/**
 * What a named speaker said counts 1.5 times as much as what others did, and what the side of a
 * chat said that is asked about twice as much: an assistant repeats at length what it was told
 * (rank/rank.ts). Both from the first measurements; 1.25 and 2, and 3, find the same within half a
 * point.
 */
export const namedSpeakerBoost = 1.5;
export const askedRoleBoost = 2;

/**
 * How an answer is put (query/answer-type.ts). Who tells something of themselves says "I", and what
 * was told is what is asked for; what answers "when" holds a word of time: both from the first
 * measurements. Advice has to mind what somebody asked for once and for all: 1.3 to 2 find more of
 * that, at 2 before what the question is about.
 */
export const answerTypeWeights = { own: 1.1, time: 1.2, standing: 1.5 };

/**
 * How far likeness of meaning alone may lift a score (rank/fuse.ts). Words and meaning are taken as
 * independent evidence: what the two leave open is the product of what each leaves. .5 to .7 order
 * the same within half a point.
 */
export const semanticWeight = 0.7;

/** Texts that say the same are about this many times as near as questions and their answers. */
export const similarityRatioMax = 3;

/**
 * What words weigh beside meaning for a memory outside of a conversation, which its own vector
 * tells apart (rank/fuse.ts); times the square of what all words of the question weigh
 * (rank/term-weights.ts).
 */
export const factWordsWeight = 0.0045;
/** Makes scores of facts and of turns fall alike, so that one cut fits both (rank/cut.ts). */
export const factScorePower = 0.7;

/**
 * Nobody configures a reranker that misses by much: it decides as much as all else
 * (rank/rerank.ts).
 */
export const rerankWeight = 0.5;
