// Reads a profile of V8: which functions took the time of a stretch.

/** What hands on so much of its time to one other function says nothing of its own. */
const passedOnShare = 0.95;
/** What takes less of a stretch is left out. */
const shareMin = 0.05;
const namedMax = 6;

/**
 * @typedef {import('node:inspector').Profiler.Profile} Profile
 * @typedef {{ start: number, end: number }} Span In milliseconds of the clock of the profile.
 * @typedef {Map<number, { name: string, parent: number | null }>} Tree
 */

/**
 * The functions that took most of a stretch, with all they called.
 * @param {Profile} profile
 * @param {Span} stretch
 */
export function functionsWithin(profile, stretch) {
  const tree = treeOf(profile);
  /** @type {Map<string, number>} */
  const totals = new Map();
  /** By caller: how much of its time its callees take. */
  /** @type {Map<string, number>} */
  const handedOn = new Map();
  let all = 0;
  for (const { id, ms } of samplesWithin(profile, stretch)) {
    all += ms;
    const names = namesUpFrom(id, tree);
    for (const name of new Set(names)) add(totals, name, ms);
    for (const pair of pairsOf(names)) add(handedOn, pair, ms);
  }
  const passedOn = new Set(
    [...handedOn].flatMap(([pair, ms]) => {
      const [caller = ''] = pair.split('\n');
      return ms >= passedOnShare * (totals.get(caller) ?? 0) ? [caller] : [];
    }),
  );
  return [...totals]
    .filter(([name, ms]) => ms >= shareMin * all && !passedOn.has(name))
    .sort(([, one], [, other]) => other - one)
    .slice(0, namedMax)
    .map(([name, ms]) => ({ name, ms: Math.round(ms) }));
}

/** @param {Profile} profile */
function treeOf({ nodes }) {
  /** @type {Tree} */
  const tree = new Map();
  for (const { id, callFrame } of nodes) tree.set(id, { name: nameOf(callFrame), parent: null });
  for (const { id, children = [] } of nodes) {
    for (const child of children) {
      const node = tree.get(child);
      if (node !== undefined) node.parent = id;
    }
  }
  return tree;
}

/**
 * Empty for what has no name, and for Node's own, which is around everything.
 * @param {{ functionName: string, url: string }} frame
 */
function nameOf({ functionName, url }) {
  if (['(root)', '(program)', 'runMicrotasks'].includes(functionName)) return '';
  return url.startsWith('node:') ? '' : functionName;
}

/**
 * @param {Profile} profile
 * @param {Span} span
 */
function* samplesWithin({ samples = [], timeDeltas = [], startTime }, { start, end }) {
  let time = startTime;
  for (const [at, id] of samples.entries()) {
    const us = timeDeltas[at] ?? 0;
    time += us;
    if (time / 1_000 >= start && time / 1_000 <= end) yield { id, ms: us / 1_000 };
  }
}

/**
 * From the innermost function to the outermost.
 * @param {number} id
 * @param {Tree} tree
 */
function namesUpFrom(id, tree) {
  const names = [];
  for (let at = /** @type {number | null} */ (id); at !== null; at = tree.get(at)?.parent ?? null) {
    const name = tree.get(at)?.name ?? '';
    if (name !== '') names.push(name);
  }
  return names;
}

/**
 * Each caller with what it called, once each.
 * @param {readonly string[]} names
 */
function pairsOf(names) {
  const pairs = names.slice(1).map((caller, at) => `${caller}\n${names[at]}`);
  return new Set(pairs.filter((pair) => pair.split('\n')[0] !== pair.split('\n')[1]));
}

/**
 * @param {Map<string, number>} map
 * @param {string} key
 * @param {number} ms
 */
function add(map, key, ms) {
  map.set(key, (map.get(key) ?? 0) + ms);
}
