type Random = () => number;

/**
 * Writes some texts in capitals, in small letters or with a slip; and some orders with digits for
 * letters or with letters apart.
 */
export function disguise(text: string, isOrder: boolean, random: Random): string {
  const chance = random();
  if (chance < 0.05) return text.toUpperCase();
  if (chance < 0.13) return text.toLowerCase();
  if (chance < 0.21) return slip(text, random);
  if (chance < 0.24) return text.replace(/[.!。]$/u, '');
  if (!isOrder) return text;
  if (chance < 0.27) return text.replace(/[oieast]/gi, (one) => digits[one.toLowerCase()] ?? one);
  if (chance < 0.3) {
    return text.replace(/\p{L}{4,}/gu, (word) => (random() < 0.3 ? [...word].join(' ') : word));
  }
  return text;
}

const digits: Readonly<Record<string, string>> = { o: '0', i: '1', e: '3', a: '4', s: '5', t: '7' };

/** Two letters in the wrong order, or one left out. */
function slip(text: string, random: Random): string {
  return text.replace(/\p{L}{5,}/gu, (word) => {
    if (random() > 0.15) return word;
    const at = 1 + Math.floor(random() * (word.length - 3));
    return random() < 0.5
      ? word.slice(0, at) + word.slice(at + 1)
      : `${word.slice(0, at)}${word[at + 1]}${word[at]}${word.slice(at + 2)}`;
  });
}
