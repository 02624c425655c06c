/** A made-up fact, a question that it answers, and two neighbouring words that it holds. */
export type Sentence = { text: string; question: string; phrase: string };

/** So many different sentences, the same ones for the same seed. */
export function makeSentences(count: number, seed: number): Sentence[] {
  const random = seeded(seed);
  const made = new Map<string, Sentence>();
  while (made.size < count) {
    const sentence = makeSentence(random);
    made.set(sentence.text, sentence);
  }
  return [...made.values()];
}

function makeSentence(random: () => number): Sentence {
  const pick = (words: readonly string[]) => words[Math.floor(random() * words.length)] ?? '';
  const [who, where, when] = [pick(people), pick(places), pick(times)];
  const [quality, thing] = [pick(qualities), pick(things)];
  const phrase = `${quality} ${thing}`;
  const makers = [
    () => ({
      text: `${who} bought a ${phrase} in ${where} ${when} because ${pick(reasons)}.`,
      question: `Where did ${who} buy the ${phrase}?`,
    }),
    () => ({
      text: `${who} would rather ${pick(habits)} than look after the ${phrase} in ${where}, and said so ${when}.`,
      question: `What would ${who} rather do than look after the ${phrase}?`,
    }),
    () => ({
      text: `The ${phrase} that ${who} left at the house in ${where} broke ${when}; ${pick(reasons)}.`,
      question: `What happened to the ${phrase} that ${who} left in ${where}?`,
    }),
    () => ({
      text: `${who} started to ${pick(habits)} with ${pick(people)} in ${where} ${when}, and they share a ${phrase}.`,
      question: `Who shares a ${phrase} with ${who}?`,
    }),
    () => ({
      text: `Remember that ${who} keeps the ${phrase} near ${where} and wants it back ${when}, since ${pick(reasons)}.`,
      question: `When does ${who} want the ${phrase} back?`,
    }),
  ];
  const make = makers[Math.floor(random() * makers.length)];
  return { ...(make?.() ?? { text: '', question: '' }), phrase };
}

/** mulberry32: small, fast and even enough for test data. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function words(text: string): string[] {
  return text.split(',').map((word) => word.trim());
}

const people = words(`Amara, Benedikt, Chiyo, Dmitri, Esperanza, Farid, Greta, Hamish, Ingrid, Jomo,
  Kalani, Lucinda, Matteo, Nadia, Oskar, Priya, Quentin, Rosalind, Stefan, Tamsin, Ulrike, Viktor,
  Wanda, Ximena, Yusuf, Zelda, my sister, my neighbour, our landlord, the new colleague`);

const places = words(`Ljubljana, Porto, Tromsø, Kraków, Galway, Bergamo, Uppsala, Antwerp, Toulouse,
  Granada, Leipzig, Split, Aarhus, Zürich, Brno, Izmir, Thessaloniki, Tallinn, Valletta, Graz,
  the old harbour, the botanical garden, the village by the lake, the flat on the third floor`);

const times =
  words(`last Tuesday, two weeks ago, in early March, on her birthday, after the concert,
  before the move, on 14 June, on 3 November, the day after Christmas, during the heat wave,
  in the spring of 2021, next Friday, by the end of the month, at the weekend, on a rainy morning`);

const qualities = words(`copper, second-hand, enormous, folding, wooden, electric, embroidered,
  broken, antique, waterproof, bright yellow, hand-painted, silent, borrowed, portable, cracked,
  lightweight, rusty, ceramic, woollen, foldable, expensive, tiny, solar, noisy, spotted`);

const things =
  words(`kettle, telescope, bicycle, bookshelf, accordion, greenhouse, typewriter, tent,
  sewing machine, rowing boat, coffee grinder, lamp, armchair, violin, camera, suitcase, record player,
  chess set, wheelbarrow, umbrella, microscope, drum kit, hammock, aquarium, globe, loom, anvil`);

const habits = words(`swim in cold water, bake sourdough, learn Portuguese, repair old clocks,
  sing in a choir, grow tomatoes, collect stamps, paint birds, play table tennis, write letters,
  forage for mushrooms, restore furniture, keep bees, climb boulders, knit socks, brew ginger beer`);

const reasons =
  words(`the old one had been stolen, the doctor had advised it, nobody else wanted it,
  it reminded everyone of the summer at the lake, the price had dropped by half, the deposit was due,
  it was too loud for the neighbours, a friend was moving abroad, the insurance did not pay,
  the children kept asking for it, the last train had already left, it had been promised for years`);
